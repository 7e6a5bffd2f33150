import { Arg, Args, Ctx, Directive, FieldResolver, Int, Query, Resolver, ArgsType, Field } from 'type-graphql';
import { requireBounds } from '../../../shared/kernel/bounds.js';
import type { Context } from '../../../shared/kernel/context.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { Access } from '../../../shared/graphql/access.js';
import { DecimalScalar } from '../../../shared/graphql/scalars.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { readQuoteTerms } from '../quotes/quote.store.js';
import { ModeArgs } from '../profiles/require-wallet.js';
import type { Catalogue } from './catalogue.js';
import type { MarketData } from './market-data.js';
import { Market, MarketList, toMarket, type MarketShape } from './market.type.js';
import { DepthType, TickerType, toDepth, toTicker } from './ticker.type.js';
import { AtMost } from '../../../shared/graphql/constraint.js';

const mostLevels = 20;

@Resolver(() => Market)
export class MarketResolver {
  constructor(
    private readonly catalogue: Catalogue,
    private readonly data: MarketData,
  ) {}

  @Access('market', 'read')
  @Directive('@listSize(assumedSize: 100)')
  @Query(() => [Market], {
    description:
      'The markets that at least one venue trades, real or synthetic, sorted by symbol. API keys may read them too. Errors: 401 CAAS_AUTH_001; 403 without the scope `read`.',
  })
  async markets(@Ctx() context: Context, @Args(() => ModeArgs) { synthetic }: ModeArgs): Promise<MarketShape[]> {
    const all = await this.catalogue.list(context, synthetic);
    return all.filter(({ symbol }) => this.data.isTraded(synthetic, symbol)).map(toMarket);
  }

  @FieldResolver(() => DecimalScalar, {
    nullable: true,
    description:
      'Fee of the calling company for what adds liquidity to an order book, in percent of the value; null for other callers.',
  })
  makerFeePercent(@Ctx() context: Context): Promise<string | null> {
    return feeOf(context, 'makerFee');
  }

  @FieldResolver(() => DecimalScalar, {
    nullable: true,
    description:
      'Fee of the calling company for what removes liquidity, and for quotes, in percent of the value; null for other callers.',
  })
  takerFeePercent(@Ctx() context: Context): Promise<string | null> {
    return feeOf(context, 'takerFee');
  }

  @Access('market', 'read')
  @Query(() => MarketList, {
    description:
      'The same markets as `markets`. API keys may read them too. REST: GET /v1/market/fetchMarkets. Errors: 401 CAAS_AUTH_001; 403 without the scope `read`.',
  })
  async marketList(@Ctx() context: Context, @Args(() => ModeArgs) mode: ModeArgs): Promise<Shape<MarketList>> {
    return { markets: await this.markets(context, mode) };
  }

  @Access('market', 'read')
  @Query(() => TickerType, {
    description:
      'Current prices of a market, over all venues in use. API keys may read them too. REST: GET /v1/market/fetchTicker. Errors: 400 CAAS_ORD_002 for a symbol that is not a market; 401 CAAS_AUTH_001; 403 without the scope `read`.',
  })
  async ticker(
    @Ctx() context: Context,
    @Args(() => SymbolArgs) { symbol, synthetic }: SymbolArgs,
  ): Promise<Shape<TickerType>> {
    const market = await this.catalogue.require(context, symbol);
    return toTicker(this.data.ticker(synthetic, symbol), market);
  }

  @Access('market', 'read')
  @Query(() => DepthType, {
    description:
      'The order book of a market, over all venues in use. API keys may read it too. Errors: 400 for `levels` that is out of bounds; 400 CAAS_ORD_002 for a symbol that is not a market; 401 CAAS_AUTH_001; 403 without the scope `read`.',
  })
  async depth(
    @Ctx() context: Context,
    @Args(() => SymbolArgs) { symbol, synthetic }: SymbolArgs,
    @Arg('levels', () => Int, {
      defaultValue: 10,
      description: `Levels per side, from 1 to ${mostLevels}; default 10.`,
    })
    levels: number,
  ): Promise<Shape<DepthType>> {
    requireBounds({ name: 'levels', value: levels, min: 1, max: mostLevels });
    const market = await this.catalogue.require(context, symbol);
    return toDepth(this.data.depth(synthetic, symbol, levels), market);
  }
}

/** Returns a fee of the calling company. Markets of one response ask for it together. */
async function feeOf(context: Context, fee: 'makerFee' | 'takerFee'): Promise<string | null> {
  const { kind, ownerId } = context.principal;
  if (kind !== 'TRADER') return null;
  return new Decimal((await readQuoteTerms(context, ownerId))[fee]).toFixed();
}

/** The market and world of a read. */
@ArgsType()
export class SymbolArgs extends ModeArgs {
  @AtMost({ maxLength: 30 })
  @Field(() => String, { description: 'Symbol of a market, such as `BTC/BRL`.' })
  symbol!: string;
}
