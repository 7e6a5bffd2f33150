import type { ListPage } from './list-page.js';

/** A page of a list as a GraphQL connection. Cursors are made only when they are selected. */
export interface Connection<T> {
  readonly nodes: readonly T[];
  readonly edges: readonly { readonly node: T; readonly cursor: string }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

/** Counts the items of all pages, when the count is selected. Null only where the type says why. */
export type CountAll = () => number | Promise<number | null>;

export function toConnection<Row, T>(page: ListPage<Row>, toNode: (row: Row) => T, countAll: CountAll): Connection<T> {
  return new PageConnection(page, page.rows.map(toNode), countAll);
}

// Its fields are read one by one, and never copied: a copy would make every cursor, or lose them.
class PageConnection<T> implements Connection<T> {
  readonly countAll: CountAll;
  /** The number of the page and how many nodes it has at most, where a list is read by them. */
  readonly page: number | undefined;
  readonly pageSize: number | undefined;

  constructor(
    private readonly list: ListPage<unknown>,
    readonly nodes: readonly T[],
    countAll: CountAll,
  ) {
    let counted: ReturnType<CountAll> | undefined;
    // `totalPages` needs the number too.
    this.countAll = () => (counted ??= countAll());
    this.page = list.number;
    this.pageSize = list.size;
  }

  get edges() {
    return this.nodes.map((node, index) => ({ node, cursor: this.list.cursorAt(index) ?? '' }));
  }

  get pageInfo() {
    return new PageEnds(this.list);
  }

  /** Shown where a documented list continues by it. */
  get nextCursor() {
    const { hasNextPage, endCursor } = this.pageInfo;
    return hasNextPage ? endCursor : null;
  }
}

// A class, and no literal with getters: V8 keeps whatever the getters of a literal refer to until its next full collection.
class PageEnds {
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;

  constructor(private readonly page: ListPage<unknown>) {
    this.hasNextPage = page.hasNext;
    this.hasPreviousPage = page.hasPrevious;
  }

  get startCursor() {
    const { startCursor, cursorAt } = this.page;
    return startCursor === undefined ? cursorAt(0) : startCursor;
  }

  get endCursor() {
    const { endCursor, cursorAt } = this.page;
    return endCursor === undefined ? cursorAt(-1) : endCursor;
  }
}
