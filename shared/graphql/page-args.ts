import 'reflect-metadata';
import { ArgsType, Directive, Field, Int } from 'type-graphql';

export function connectionArgs({ usual = 20, most = 100, fromEnd = false } = {}) {
  const bounds = `from 1 to ${String(most)}; default ${String(usual)}`;
  const whole = fromEnd
    ? 'Without arguments, the last page is returned'
    : 'Without arguments, the first page is returned';
  @ArgsType()
  abstract class ConnectionArgs {
    @Field(() => Int, { nullable: true, description: `Page size, ${bounds}. ${whole}` })
    first?: number | null;

    @Field(() => String, {
      nullable: true,
      description:
        'The page that follows this cursor: `endCursor` of the page before, requested with the same filter and sort, if any',
    })
    after?: string | null;

    @Field(() => Int, {
      nullable: true,
      description: `Size of a page that ends before \`before\`, or at the end of the list, ${bounds}. Not together with \`first\` or \`after\``,
    })
    last?: number | null;

    @Field(() => String, {
      nullable: true,
      description:
        'The page that precedes this cursor: `startCursor` of the page after, requested with the same filter and sort, if any. Not together with `first` or `after`',
    })
    before?: string | null;
  }
  return ConnectionArgs;
}

/** Declares how many items a page of a connection has without arguments, where that is not 20: the cost of an operation depends on it. */
export function PageSize({ usual }: { readonly usual: number }): MethodDecorator {
  return Directive(
    `@listSize(assumedSize: ${String(usual)}, slicingArguments: ["first", "last"], sizedFields: ["nodes"], requireOneSlicingArgument: false)`,
  );
}

/** The page of a list by cursor, in the graph. */
@ArgsType()
export class CursorPageArgs extends connectionArgs() {}

/** The page of a list by cursor or by number. */
@ArgsType()
export class NumberedPageArgs extends connectionArgs() {
  @Field(() => Int, {
    nullable: true,
    description:
      'Number of the page, from 1, from the beginning of the list: above 1 without a cursor and without `last`; default 1',
  })
  page?: number | null;
}
