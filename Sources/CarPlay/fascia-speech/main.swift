import CEspeak

print(String(cString: espeak_Info(nil)))
