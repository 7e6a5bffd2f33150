/**
 * Repeats a step that handles at most `batch` items until it handles fewer, so that no transaction takes long.
 * @returns how many items all steps handled
 */
export async function untilFew(batch: number, step: () => Promise<number>): Promise<number> {
  let total = 0;
  for (;;) {
    const handled = await step();
    total += handled;
    if (handled < batch) return total;
  }
}
