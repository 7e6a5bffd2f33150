/**
 * Returns a function that runs `work` one run at a time and merges calls: calls made during a run cause one further run. The returned promise resolves
 * after the last run that the call led to; `work` must not reject.
 */
export function coalesced(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let asked = 0;
  const loop = async () => {
    let answered: number;
    do {
      answered = asked;
      await work();
    } while (answered !== asked);
    running = undefined;
  };
  return () => {
    asked += 1;
    running ??= loop();
    return running;
  };
}
