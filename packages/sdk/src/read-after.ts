/** For how long a client names what it has written: no replica and no cache shows anything older than that. */
const rememberedMs = 300_000;

/** What the client has written, so that it reads it. */
export interface ReadAfter {
  /** Takes the token of a response, if it has one. */
  note(headers: Headers): void;
  /** The header of a request: empty while nothing was written lately. */
  headers(): Readonly<Record<string, string>>;
}

/** Keeps the token of the latest change. */
export function createReadAfter(): ReadAfter {
  let token: string | undefined;
  let until = 0;
  return {
    note: (headers) => {
      const given = headers.get('x-read-after');
      if (given === null) return;
      token = given;
      until = performance.now() + rememberedMs;
    },
    headers: (): Readonly<Record<string, string>> =>
      token === undefined || performance.now() > until ? {} : { 'x-read-after': token },
  };
}
