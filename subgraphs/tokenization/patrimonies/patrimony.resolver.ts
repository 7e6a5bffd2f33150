import {
  Arg,
  Args,
  Ctx,
  FieldResolver,
  Int,
  Query,
  Resolver,
  Root,
  ArgsType,
  Directive,
  ObjectType,
} from 'type-graphql';
import { AsOf } from '../../../shared/database/as-of/as-of.js';
import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { refuse } from '../../../shared/kernel/errors.js';
import { Access } from '../../../shared/graphql/access.js';
import { CacheResponse } from '../../../shared/graphql/response-cache.js';
import { toConnection, type Connection } from '../../../shared/graphql/connection.js';
import { DecimalScalar } from '../../../shared/graphql/scalars.js';
import { connectionPage, openPage } from '../../../shared/graphql/list-page.js';
import { readSearch } from '../assets/asset-query.js';
import {
  figuresOf,
  countPatrimonies,
  findPatrimony,
  listPatrimonies,
  patrimoniesById,
  patrimoniesByTicker,
  patrimoniesByOperation,
  type PatrimonyRow,
} from './patrimony.store.js';
import { Patrimony } from './patrimony.type.js';
import { readStamp } from '../revision/revision.js';
import { connectionType, ofPage } from '../../../shared/graphql/connection-type.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import type { ReferenceRule } from '../../../shared/graphql/references.js';
import { args, fields, nullable, text } from '../../../shared/graphql/fields.js';

@Resolver()
export class PatrimonyListResolver {
  constructor(private readonly codec: CursorCodec) {}

  @Access('anyone')
  @CacheResponse(readStamp)
  @AsOf()
  @Query(() => PatrimonyConnection, {
    description:
      'Estates in pages, sorted by ticker. REST: GET /public/patrimonies. Errors: 400 for arguments that are out of bounds, and for a cursor that is invalid or of another search.',
  })
  async patrimonies(
    @Ctx() context: Context,
    @Args(() => PatrimoniesArgs) { search, ...wanted }: PatrimoniesArgs,
  ): Promise<Connection<PatrimonyRow>> {
    const { words, errors } = readSearch(search, 'search');
    refuse('BAD_REQUEST', errors);
    const page = openPage(this.codec, connectionPage(wanted), { scope: ['patrimonies', ...words].join(' ') });
    const found = page.take(await listPatrimonies(context, page, words), ({ ticker }) => [ticker.toLowerCase()]);
    return toConnection(
      found,
      (row) => row,
      () => countPatrimonies(context, words),
    );
  }
}

@Resolver(() => Patrimony)
export class PatrimonyResolver {
  @Access('anyone')
  @CacheResponse(readStamp)
  @AsOf()
  @Query(() => Patrimony, { nullable: true, description: 'An estate; null when it does not exist.' })
  async patrimony(
    @Ctx() context: Context,
    @Arg('ticker', () => String, { description: 'Ticker or slug of the estate, in any case' }) ticker: string,
  ): Promise<PatrimonyRow | null> {
    const row = await findPatrimony(context, ticker);
    return row ?? null;
  }

  @FieldResolver(() => Int, { description: 'Number of series issued in it' })
  async trancheCount(@Ctx() context: Context, @Root() { id }: PatrimonyRow): Promise<number> {
    return (await loaderOf(context, figuresOf).load(id)).trancheCount;
  }

  @FieldResolver(() => Int, { description: 'Number of assets in it' })
  async assetCount(@Ctx() context: Context, @Root() { id }: PatrimonyRow): Promise<number> {
    return (await loaderOf(context, figuresOf).load(id)).assetCount;
  }

  @FieldResolver(() => DecimalScalar, {
    description: 'Issue value times tokens of its series, without drafts; in BRL, 2 decimals',
  })
  async totalIssued(@Ctx() context: Context, @Root() { id }: PatrimonyRow): Promise<string> {
    return (await loaderOf(context, figuresOf).load(id)).totalIssued;
  }
}

const PatrimonyConnection = connectionType(Patrimony, {
  name: 'Patrimony',
  nodes: 'estates',
  order: 'sorted by ticker',
  documented: 'token',
});

@ArgsType()
class PatrimoniesArgs extends args({
  ...ofPage(),
  search: nullable.text(
    'Up to 10 words, 100 characters in total. Each must be part of the ticker, the slug or the name, without regard to case and accents',
  ),
}) {}

export const patrimonyReference: ReferenceRule = {
  access: 'anyone',
  resolve: async (context, reference) => {
    const row = await find(context, reference['id'], reference['ticker']);
    return row ?? null;
  },
};

async function find(context: Context, id: unknown, ticker: unknown) {
  if (typeof id === 'string' && isUuid(id)) return loaderOf(context, patrimoniesById).load(id);
  if (typeof ticker === 'string') return loaderOf(context, patrimoniesByTicker).load(ticker);
  return undefined;
}

@Resolver(() => Operation)
export class OperationPatrimonyResolver {
  @AsOf()
  @FieldResolver(() => Patrimony, {
    nullable: true,
    description: 'The estate of the operation, the newest one when there are several; null when there is none',
  })
  async patrimony(@Ctx() context: Context, @Root() { ticker }: Operation): Promise<PatrimonyRow | null> {
    const row = await loaderOf(context, patrimoniesByOperation).load(ticker);
    return row ?? null;
  }
}

@Resolver(() => Patrimony)
export class PatrimonyOperationResolver {
  @FieldResolver(() => Operation, { nullable: true, description: 'The published operation of the estate' })
  operation(@Root() { operationTicker }: PatrimonyRow): Readonly<Operation> | null {
    return operationTicker === null ? null : { ticker: operationTicker };
  }
}

/** The fields of an operation that this domain knows: its ticker. The rest of the entity belongs to issuances. */
@Directive('@key(fields: "ticker")')
@ObjectType({ simpleResolvers: true, description: 'A public securitization operation, in raw values.' })
class Operation extends fields({
  ticker: text('Ticker, unique without regard to case'),
}) {}

/** Operations are referred to by ticker; the issuances subgraph decides whether one exists. */
export const operationReference: ReferenceRule = {
  access: 'anyone',
  resolve: (_context, { ticker }) => (typeof ticker === 'string' ? { ticker } : null),
};
