/// Lines of at most 79 columns: that is where the help is broken off when it is piped.
enum HelpText {
    static let discussion = """
        Standard output says "listening HOST:PORT" and "pairing code NNNNNN", then
        the answers of the console.

        CONSOLE, on standard input: one command a line, or several with ';' between
        them; '"' groups words; '#' before a word begins a comment. Each command
        answers "ok ..." or "error ...".
          wait TEXT [SECONDS]         until TEXT can be read on the screen (10 s)
          tap TEXT                    what says TEXT, else what contains it
          tap X Y                     pixels
          drag X1 Y1 X2 Y2 MS         one finger; a fast one leaves a list rolling:
                                      the next touch only stops it
          knob cw|ccw [N]             turn by N detents
          knob press
          knob up|down|left|right     push it aside
          key NAME [SECONDS]          home, back, voice; play, next, previous, stop,
                                      shuffle, repeat, rate, like, dislike, bookmark
                                      for the app that plays; held down so long
          screenshot FILE             PNG of what is on the screen
          tree                        what is on the screen, JSON
          night on|off                appearance
          driver left|right           side of the driver
          link cut|restore            cut the cable without a word, join it again
          link reset|goodbye          break off TCP; say goodbye and stay
          radio on|off                the car's own radio; it takes main audio
          carcall ring|start|end      the car's own telephone; it borrows it
          reverse-gear on|off         the camera; it borrows the screen
          volume ROUTE N              0 to 100; ROUTE is media, navigation, telephony,
                                      assistant, alert or ui
          mute ROUTE [on|off]         keeps the volume
          audio                       streams, buffers, ducking, volumes, JSON
          sleep SECONDS
          stats                       counters, latencies, memory, JSON
          stats reset                 forget the latencies
          quit
        A --script is run first, then the console goes on; the first error in a
        script ends the run with status 1. The end of the script and of standard
        input end nothing: stop with quit (status 0), SIGINT or SIGTERM.

        WINDOW, when there is a display and no --headless: the mouse is a finger;
        the wheel, [ and ] turn the knob, arrow keys push it aside, Enter presses
        it; a drag with the right button is the touchpad; Esc or Backspace = back,
        H = home, Space = play, N = next, P = previous, V = voice; F2 = night.

        SOUND comes out of the default device if there is one. --audio-out FILE.wav
        writes what would be heard, from the start of the program to its end;
        --audio-out DIR/ a file for each route with its volume, and mix.wav.
        --mic FILE.wav is heard over and over when the phone listens; while it
        does, the screen says so.

        SCREEN PROFILE FILE, JSON; all but width and height may be left out:
          {"name": "Wide", "width": 1280, "height": 480, "scale": 2,
           "driverSide": "right", "refresh": 60, "safeInsets": {"left": 40},
           "inputs": ["touch", "knob", "touchpad", "keys"]}
        """
}
