import { cut } from '../../../shared/kernel/echo.js';
import { dotted } from '../../../shared/graphql/variables.js';

/** An array or object that is open at a reader's position. */
interface Frame {
  /** The names in an object so far; undefined for an array. */
  readonly names: Set<string> | undefined;
  index: number;
  name: string;
  /** Whether the next text is a name. */
  awaitsName: boolean;
}

/** The place of a reader within JSON, from the punctuation that it reports. */
export class JsonPlace {
  readonly #frames: Frame[] = [];

  constructor(private readonly bytes: Buffer) {}

  get depth(): number {
    return this.#frames.length;
  }

  get isInObject(): boolean {
    return this.#frames.at(-1)?.names !== undefined;
  }

  /** The field or item that is read, such as `contracts[17].faceValue`. */
  get path(): string {
    return dotted(this.#frames.map(({ names, index, name }) => (names === undefined ? index : cut(name))));
  }

  open(isArray: boolean): void {
    this.#frames.push({ names: isArray ? undefined : new Set(), index: 0, name: '', awaitsName: !isArray });
  }

  close(): void {
    this.#frames.pop();
  }

  comma(): void {
    const frame = this.#frames.at(-1);
    if (frame === undefined) return;
    frame.index += 1;
    frame.awaitsName = frame.names !== undefined;
  }

  /**
   * Reads a text between the positions of its quotes.
   * @returns whether it is a name that its object has already
   */
  isRepeatedName(opens: number, closes: number): boolean {
    const frame = this.#frames.at(-1);
    if (frame?.names === undefined || !frame.awaitsName) return false;
    frame.awaitsName = false;
    frame.name = nameOf(this.bytes.toString('utf8', opens + 1, closes));
    const { size } = frame.names;
    return frame.names.add(frame.name).size === size;
  }
}

/** Returns the name that a text between quotes is: `"\u0061"` is `a`. */
function nameOf(written: string): string {
  if (!written.includes('\\')) return written;
  try {
    return String(JSON.parse(`"${written}"`));
  } catch {
    // The text is not JSON, which its parser reports.
    return written;
  }
}
