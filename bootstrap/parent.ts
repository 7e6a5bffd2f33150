const lookMs = 250;

/**
 * Calls `act` when the process that started this one is gone. `npm start` asks for it: npm cannot pass SIGKILL on, and the
 * program would go on alone, with the port and the data folder in its hands.
 */
export function whenParentIsGone(act: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    act();
  }, lookMs);
  timer.unref();
}
