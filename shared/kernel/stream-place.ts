/** Metadata of a stream or a result: lets a reader who lost the stream resume it, and other readers share it. */
export interface StreamPlace {
  /** Returns the cursor after which another run continues without a gap or a repetition; undefined where there is none at the moment. */
  readonly cursor?: () => string | undefined;
  /** Names what the stream reports, as it was resolved when the stream began: where two streams differ in it, they report different things. */
  readonly subject?: string;
  /** Whether the stream can begin again for a reader without a cursor: with the whole state, or after the event in its arguments. */
  readonly restarts?: boolean;
  /** Whether the stream was lost, and may still report what happened meanwhile: whoever joins its readers now would get events of before. */
  readonly isBehind?: () => boolean;
}

const places = new WeakMap<object, StreamPlace>();

/** Notes the place of a stream or a result. Returns the stream or result. */
export function placed<T extends object>(thing: T, place: StreamPlace): T {
  places.set(thing, place);
  return thing;
}

export function placedAs<T extends object>(origin: object, made: T): T {
  const place = places.get(origin);
  return place === undefined || origin === made ? made : placed(made, place);
}

export function cursorOf(thing: object): string | undefined {
  return places.get(thing)?.cursor?.();
}

export function subjectOf(stream: object): string | undefined {
  return places.get(stream)?.subject;
}

export function canRestart(stream: object): boolean {
  return places.get(stream)?.restarts === true;
}

export function isBehind(stream: object): boolean {
  return places.get(stream)?.isBehind?.() === true;
}
