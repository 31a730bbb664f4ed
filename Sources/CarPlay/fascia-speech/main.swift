// Speaks for apps: espeak-ng is under the GPL, so it lives in a program of its own that they talk to over pipes.
//
//   fascia-speech --voices     one line a voice: language, name, gender (0 unknown, 1 male, 2 female), between tabs
//   fascia-speech              one utterance: a head of lines "key: value", an empty line, the text, the end of the input.
//                              Out come frames, see SpeechFrames.swift.
import Glibc

if CommandLine.arguments.contains("--voices") { printVoices() } else { speak() }
