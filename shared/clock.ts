/** Where the house takes the time from: passed in, so that a test can set it. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** A clock that stands where it is put and moves only when told to. */
export function fixedClock(start: Date | string): Clock & { advance(ms: number): void; set(to: Date | string): void } {
  let current = new Date(start).getTime();
  return {
    now: () => new Date(current),
    advance: (ms) => {
      current += ms;
    },
    set: (to) => {
      current = new Date(to).getTime();
    },
  };
}

const civil = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/Sao_Paulo',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});

/** The civil date in São Paulo at an instant, as `YYYY-MM-DD`: what "today" means to a Brazilian security. */
export function civilDate(instant: Date): string {
  // By parts: how a locale orders and separates them is nobody's promise.
  const parts = Object.fromEntries(civil.formatToParts(instant).map(({ type, value }) => [type, value]));
  return `${parts['year'] ?? ''}-${parts['month'] ?? ''}-${parts['day'] ?? ''}`;
}
