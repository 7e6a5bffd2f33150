/** When this tab last changed something that counts depend on, by the clock of `performance`. */
let changedAt = 0;

export function noteChange(): void {
  changedAt = performance.now();
}

export const lastChange = (): number => changedAt;
