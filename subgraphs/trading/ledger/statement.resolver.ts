import { Args, ArgsType, Ctx, Field, Int, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { documentedNames } from '../../../shared/graphql/list-page.js';
import { Access } from '../../../shared/graphql/access.js';
import { AtMost } from '../../../shared/graphql/constraint.js';
import { DateTimeScalar } from '../../../shared/graphql/scalars.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { requireWallet, WalletArgs, WalletListArgs } from '../profiles/require-wallet.js';
import { readStatement } from './read-statement.js';
import { toWalletStatement, WalletStatement } from './statement.type.js';

const currencyText = 'Code of a currency, such as `BTC`: one of `currencies`.';
const fromText = 'Only movements from this time on';
const toText = 'Only movements before this time; up to now when omitted';

@ArgsType()
class StatementArgs extends WalletArgs {
  @AtMost({ maxLength: 12 })
  @Field(() => String, { description: currencyText })
  currency!: string;

  @Field(() => DateTimeScalar, { description: fromText })
  from!: string;

  @Field(() => DateTimeScalar, { nullable: true, description: toText })
  to?: string | null;

  @Field(() => Int, {
    nullable: true,
    defaultValue: 20,
    description: 'Maximum number of movements, from 1 to 100; default 20',
  })
  first?: number | null;

  @Field(() => String, { nullable: true, description: '`endCursor` of the previous page' })
  after?: string | null;
}

@ArgsType()
class FetchStatementArgs extends WalletListArgs {
  @AtMost({ maxLength: 12 })
  @Field(() => String, { description: currencyText })
  currency!: string;

  @Field(() => DateTimeScalar, { description: fromText })
  from!: string;

  @Field(() => DateTimeScalar, { nullable: true, description: toText })
  to?: string | null;
}

@Resolver()
export class StatementResolver {
  constructor(private readonly codec: CursorCodec) {}

  @Access('trader', 'read')
  @Query(() => WalletStatement, {
    description:
      'The statement of a wallet in one currency: opening balance, movements with their causes, and closing balance. Errors: 400 for an unknown currency, a period that ends before it begins, arguments that are out of bounds and a cursor of another statement; 401 CAAS_AUTH_001; 403 without the scope `read`; 404 for a profile that does not belong to the company.',
  })
  async statement(
    @Ctx() context: Context,
    @Args(() => StatementArgs) { currency, from, to = null, first, after = null, ...which }: StatementArgs,
  ): Promise<Shape<WalletStatement>> {
    const wallet = await requireWallet(context, which);
    const page = { currency, from, to, limit: first, cursor: after };
    return toWalletStatement(await readStatement(context, this.codec, wallet, page));
  }

  @Access('trader', 'read')
  @Query(() => WalletStatement, {
    description:
      'The statement of a wallet in one currency, as `statement` returns it, by `nextToken`. REST: GET /v1/wallet/fetchStatement. Errors: 401 CAAS_AUTH_001; 403 without the scope `read`; the others of `statement`.',
  })
  async fetchStatement(
    @Ctx() context: Context,
    @Args(() => FetchStatementArgs)
    { currency, from, to = null, limit, nextToken: cursor = null, ...which }: FetchStatementArgs,
  ): Promise<Shape<WalletStatement>> {
    const wallet = await requireWallet(context, which);
    const page = { currency, from, to, limit, cursor, names: documentedNames };
    return toWalletStatement(await readStatement(context, this.codec, wallet, page));
  }
}
