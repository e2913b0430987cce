let recording = false;

/** While the person presses a key to choose it, no key does anything else. */
export function setRecording(on: boolean): void {
  recording = on;
}

export function isRecording(): boolean {
  return recording;
}
