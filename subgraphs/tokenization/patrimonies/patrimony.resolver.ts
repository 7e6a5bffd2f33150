import { Arg, Ctx, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import { AsOf } from '../../../shared/as-of/as-of.js';
import { loaderOf, type Context } from '../../../shared/context.js';
import type { CursorCodec } from '../../../shared/cursor.js';
import { Access } from '../../../shared/subgraph/access.js';
import { toConnection, type Connection } from '../../../shared/subgraph/connection.js';
import { DecimalScalar } from '../../../shared/subgraph/scalars.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { documentedNames, graphNames } from '../../../shared/list-page.js';
import { pagePatrimonies } from './page-patrimonies.js';
import { figuresOf } from './patrimony-figures.store.js';
import { PatrimonyConnection, PatrimonyList } from './patrimony-list.type.js';
import { countPatrimonies, findPatrimony } from './patrimony.store.js';
import { Patrimony, toPatrimony, type PatrimonyShape } from './patrimony.type.js';

@Resolver(() => PatrimonyConnection)
export class PatrimonyListResolver {
  constructor(private readonly codec: CursorCodec) {}

  @Access('anyone')
  @AsOf()
  @Query(() => PatrimonyList, {
    description:
      'Estates by ticker. REST: GET /public/patrimonies. BAD_REQUEST for a limit out of bounds and tokens that are not ours.',
  })
  async patrimonyList(
    @Ctx() context: Context,
    @Arg('limit', () => Int, { nullable: true, description: 'How many, from 1 to 100; 20 when omitted' })
    limit: number | null | undefined,
    @Arg('nextToken', () => String, { nullable: true, description: '`nextToken` of the page before' })
    nextToken: string | null | undefined,
  ): Promise<Shape<PatrimonyList>> {
    const wish = { names: documentedNames, limit, cursor: nextToken };
    const { rows, cursors, hasNext } = await pagePatrimonies(context, this.codec, wish);
    const figures = await figuresOf(
      context,
      rows.map(({ id }) => id),
    );
    return {
      items: rows.flatMap((row, index) => {
        const own = figures[index];
        return own === undefined ? [] : [{ ...toPatrimony(row), ...own }];
      }),
      count: await countPatrimonies(context),
      nextToken: hasNext ? (cursors.at(-1) ?? null) : null,
    };
  }

  @Access('anyone')
  @AsOf()
  @Query(() => PatrimonyConnection, {
    description:
      'Estates by ticker, page by page. BAD_REQUEST for arguments out of bounds and cursors that are not ours.',
  })
  async patrimonies(
    @Ctx() context: Context,
    @Arg('first', () => Int, { nullable: true, description: 'How many, from 1 to 100; 20 when omitted' })
    first: number | null | undefined,
    @Arg('after', () => String, { nullable: true, description: '`endCursor` of the page before' })
    after: string | null | undefined,
  ): Promise<Connection<PatrimonyShape>> {
    const wish = { names: graphNames, limit: first, cursor: after };
    const { rows, cursors, hasNext } = await pagePatrimonies(context, this.codec, wish);
    return toConnection(rows.map(toPatrimony), cursors, hasNext);
  }

  @FieldResolver(() => Int, { description: 'Estates in the whole list, on all pages' })
  totalCount(@Ctx() context: Context): Promise<number> {
    return countPatrimonies(context);
  }
}

@Resolver(() => Patrimony)
export class PatrimonyResolver {
  @Access('anyone')
  @AsOf()
  @Query(() => Patrimony, { nullable: true, description: 'An estate; null when there is none.' })
  async patrimony(
    @Ctx() context: Context,
    @Arg('ticker', () => String, { description: "The estate's ticker or slug, whatever the case" }) ticker: string,
  ): Promise<PatrimonyShape | null> {
    const row = await findPatrimony(context, ticker);
    return row === undefined ? null : toPatrimony(row);
  }

  @FieldResolver(() => Int, { description: 'Series issued in it' })
  async trancheCount(@Ctx() context: Context, @Root() { id }: PatrimonyShape): Promise<number> {
    return (await loaderOf(context, figuresOf).load(id)).trancheCount;
  }

  @FieldResolver(() => Int, { description: 'Assets in it' })
  async assetCount(@Ctx() context: Context, @Root() { id }: PatrimonyShape): Promise<number> {
    return (await loaderOf(context, figuresOf).load(id)).assetCount;
  }

  @FieldResolver(() => DecimalScalar, {
    description: 'Issue value times units of its series, drafts left out, 2 decimals',
  })
  async totalIssued(@Ctx() context: Context, @Root() { id }: PatrimonyShape): Promise<string> {
    return (await loaderOf(context, figuresOf).load(id)).totalIssued;
  }
}
