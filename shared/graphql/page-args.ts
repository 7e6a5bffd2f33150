import 'reflect-metadata';
import { ArgsType, Directive } from 'type-graphql';
import { args, nullable } from './fields.js';

/** The arguments of a page of a list by cursor. */
export function ofPage({ usual = 20, most = 100, fromEnd = false } = {}) {
  const bounds = `from 1 to ${String(most)}; default ${String(usual)}`;
  const whole = fromEnd
    ? 'Without arguments, the last page is returned'
    : 'Without arguments, the first page is returned';
  return {
    first: nullable.int(`Page size, ${bounds}. ${whole}`),
    after: nullable.text(
      'The page that follows this cursor: `endCursor` of the page before, requested with the same filter and sort, if any',
    ),
    last: nullable.int(
      `Size of a page that ends before \`before\`, or at the end of the list, ${bounds}. Not together with \`first\` or \`after\``,
    ),
    before: nullable.text(
      'The page that precedes this cursor: `startCursor` of the page after, requested with the same filter and sort, if any. Not together with `first` or `after`',
    ),
  };
}

/** Declares how many items a page of a connection has without arguments, where that is not 20: the cost of an operation depends on it. */
export function PageSize({ usual }: { readonly usual: number }): MethodDecorator {
  return Directive(
    `@listSize(assumedSize: ${String(usual)}, slicingArguments: ["first", "last"], sizedFields: ["nodes"], requireOneSlicingArgument: false)`,
  );
}

/** The page of a list by cursor, in the graph. */
@ArgsType()
export class CursorPageArgs extends args(ofPage()) {}

/** The page of a list by cursor or by number. */
@ArgsType()
export class NumberedPageArgs extends args({
  ...ofPage(),
  page: nullable.int(
    'Number of the page, from 1, from the beginning of the list: above 1 without a cursor and without `last`; default 1',
  ),
}) {}
