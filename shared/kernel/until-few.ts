/**
 * Repeats a step that handles at most `batch` items until it handles fewer, so that no transaction takes long.
 * @param stopping ends it after the current step
 * @returns how many items all steps handled
 */
export async function untilFew(batch: number, step: () => Promise<number>, stopping?: AbortSignal): Promise<number> {
  let total = 0;
  while (stopping?.aborted !== true) {
    const handled = await step();
    total += handled;
    if (handled < batch) break;
  }
  return total;
}
