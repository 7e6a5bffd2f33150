import { Args, ArgsType, Ctx, Field, Int, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/context.js';
import type { CursorCodec } from '../../../shared/cursor.js';
import { Access } from '../../../shared/subgraph/access.js';
import { AtMost } from '../../../shared/subgraph/constraint.js';
import { DateTimeScalar } from '../../../shared/subgraph/scalars.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { requireWallet } from '../profiles/require-wallet.js';
import { WalletArgs } from '../profiles/wallet-args.js';
import { readStatement } from './read-statement.js';
import { toWalletStatement, WalletStatement } from './statement.type.js';

@ArgsType()
class StatementArgs extends WalletArgs {
  @AtMost({ maxLength: 12 })
  @Field(() => String, { description: 'The code of a currency, as `BTC`: those of `currencies`.' })
  currency!: string;

  @Field(() => DateTimeScalar, { description: 'Movements from this moment on' })
  from!: string;

  @Field(() => DateTimeScalar, { nullable: true, description: 'Movements before this moment; up to now when omitted' })
  to?: string | null;

  @Field(() => Int, {
    nullable: true,
    defaultValue: 20,
    description: 'How many movements, from 1 to 100; 20 when omitted',
  })
  first?: number | null;

  @Field(() => String, { nullable: true, description: '`endCursor` of the page before' })
  after?: string | null;
}

@Resolver()
export class StatementResolver {
  constructor(private readonly codec: CursorCodec) {}

  @Access('trader', 'read')
  @Query(() => WalletStatement, {
    description:
      'The account of a wallet in one currency: what it held, every movement with its cause, and what it holds then. REST: GET /v1/wallet/fetchStatement. Errors: 400 for a currency that is not known, a period that ends before it begins, arguments out of bounds and cursors of another statement; 401 CAAS_AUTH_001; 403 without the scope `read`; 404 for a profile that is none of the company.',
  })
  async statement(
    @Ctx() context: Context,
    @Args(() => StatementArgs) { currency, from, to = null, first, after = null, ...which }: StatementArgs,
  ): Promise<Shape<WalletStatement>> {
    const wallet = await requireWallet(context, which);
    const page = { currency, from, to, first: first ?? 20, after };
    return toWalletStatement(await readStatement(context, this.codec, wallet, page));
  }
}
