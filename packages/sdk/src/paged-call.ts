import { isObject, LastroError } from './errors.js';
import type { Operation, Paging } from './operation.js';
import { valuesOf } from './request.js';

/** The largest page of every list; a page costs one request whatever its size. */
const pageSize = 100;

/**
 * A call of a paged list. `await` it for one page; iterate over it with `for await` for the items of all pages, from the one that the input
 * names. Nothing is sent before, and a page is read when the items of the page before it have been used.
 */
export class PagedCall<Page, Item> implements PromiseLike<Page>, AsyncIterable<Item> {
  readonly #operation: Operation<Page, Item>;
  readonly #input: object;
  readonly #send: (input: object) => Promise<Page>;
  #page: Promise<Page> | undefined;

  constructor(operation: Operation<Page, Item>, input: object, send: (input: object) => Promise<Page>) {
    this.#operation = operation;
    this.#input = input;
    this.#send = send;
  }

  then<One = Page, Other = never>(
    onFulfilled?: ((page: Page) => One | PromiseLike<One>) | null,
    onRejected?: ((reason: unknown) => Other | PromiseLike<Other>) | null,
  ): Promise<One | Other> {
    this.#page ??= this.#send(this.#input);
    return this.#page.then(onFulfilled, onRejected);
  }

  /** The pages from the one that the input names, each read when the one before it has been used. */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    const { paging } = this.#operation;
    if (paging === undefined) throw new TypeError(`${this.#operation.id} is not a paged list`);
    let input: object | undefined = firstInput(paging, this.#input);
    while (input !== undefined) {
      const page: Page = await this.#send(input);
      yield page;
      input = nextInput(paging, input, page);
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* this.#itemsOf(page);
  }

  /** The items of a page have the type that the OpenAPI text gives them. */
  #itemsOf(page: Page): Item[] {
    const list: unknown = isObject(page) ? page[this.#operation.paging?.items ?? ''] : undefined;
    return Array.isArray(list) ? (list as Item[]) : [];
  }
}

function firstInput({ form }: Paging, input: object): object {
  const values = Object.fromEntries(valuesOf(input));
  if (form === 'page') return { page: 1, limit: pageSize, ...values };
  return { limit: pageSize, ...values };
}

/**
 * Returns the input of the next page; undefined after the last one.
 * @throws LastroError with the code `INVALID_RESPONSE` where the response does not lead to another page, and reading on would not end
 */
function nextInput({ form, items }: Paging, input: object, page: unknown): object | undefined {
  if (!isObject(page)) throw invalid('The page is not an object');
  const { nextToken, total } = page;
  if (form === 'token') {
    return nextToken === undefined || nextToken === null ? undefined : moved(input, nextToken);
  }
  const list = page[items];
  if (!Array.isArray(list) || list.length === 0) return undefined;
  if (typeof total !== 'number') throw invalid('total is not a number');
  const { page: number, limit }: Readonly<Record<string, unknown>> = { ...input };
  return Number(number) * Number(limit) >= total ? undefined : { ...input, page: Number(number) + 1 };
}

function moved(input: object, cursor: unknown): object {
  const sent = new Map<string, unknown>(Object.entries(input)).get('nextToken');
  if (typeof cursor !== 'string' || cursor === '' || cursor === sent) throw invalid('The cursor does not move on');
  return { ...input, nextToken: cursor };
}

function invalid(message: string): LastroError {
  return new LastroError({ message, code: 'INVALID_RESPONSE' });
}
