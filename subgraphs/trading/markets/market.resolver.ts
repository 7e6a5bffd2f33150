import { Arg, Args, Ctx, Directive, FieldResolver, Int, Query, Resolver, Root, ArgsType, Mutation } from 'type-graphql';
import { requireBounds } from '../../../shared/kernel/bounds.js';
import type { Context } from '../../../shared/kernel/context.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { Access, StepUp } from '../../../shared/graphql/access.js';
import { DecimalScalar } from '../../../shared/graphql/scalars.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { formatAmount } from '../format-amount.js';
import { readQuoteTerms } from '../quotes/quote.store.js';
import { ModeArgs, ofMode } from '../profiles/require-wallet.js';
import type { Catalogue } from './catalogue.js';
import type { MarketData } from './market-data.js';
import {
  Market,
  toMarket,
  type MarketShape,
  PoolList,
  toPool,
  MarketChangeInput,
  MarketInput,
  TradingStatus,
  type TradingStatusShape,
  DepthType,
  TickerType,
  toDepth,
  toTicker,
} from './market.type.js';
import { AtMost } from '../../../shared/graphql/constraint.js';
import {
  addCurrency,
  addMarket,
  changeMarket,
  haltMarket,
  resumeMarket,
  haltTrading,
  resumeTrading,
} from './markets.acts.js';
import { listCurrencies, listMarketRows, readTradingSwitch } from './market.store.js';
import { Currency } from './currency.type.js';
import type { Pools } from './pools.js';
import { afterCommit } from '../../../shared/database/transaction.js';
import { args, text } from '../../../shared/graphql/fields.js';

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
      'The markets that at least one venue trades, real or synthetic, sorted by symbol. API keys may read them too. REST: GET /v1/market/fetchMarkets. Errors: 401 CAAS_AUTH_001; 403 without the scope `read`.',
  })
  async markets(@Ctx() context: Context, @Args(() => ModeArgs) { synthetic }: ModeArgs): Promise<MarketShape[]> {
    const all = await this.catalogue.list(context, synthetic);
    return all.filter(({ symbol }) => this.data.isTraded(synthetic, symbol)).map(toMarket);
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether venues in use have bids and asks for it now, in real or synthetic trading.',
  })
  isQuoted(@Root() { symbol }: MarketShape, @Args(() => ModeArgs) { synthetic }: ModeArgs): boolean {
    const { bid, ask } = this.data.ticker(synthetic, symbol);
    return bid !== undefined && ask !== undefined;
  }

  @FieldResolver(() => DecimalScalar, {
    nullable: true,
    description: 'Best bid of the venues in use, in real or synthetic trading; null while there is none.',
  })
  bid(@Root() market: MarketShape, @Args(() => ModeArgs) { synthetic }: ModeArgs): string | null {
    const { bid } = this.data.ticker(synthetic, market.symbol);
    return bid === undefined ? null : formatAmount(bid, market.priceDecimals);
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

export const ofSymbol = { ...ofMode, symbol: text('Symbol of a market, such as `BTC/BRL`.', { maxLength: 30 }) };

@ArgsType()
export class SymbolArgs extends args(ofSymbol) {}

const symbolText = 'Symbol of a market, such as `BTC/BRL`.';
const reasonText = 'Reason, which traders see. 1 to 500 characters on one line.';

@Resolver()
export class MarketOperatorResolver {
  constructor(private readonly catalogue: Catalogue) {}

  @Access('operator', 'read')
  @Query(() => TradingStatus, { description: 'Status of the kill switch, which halts all trading. Errors: 401, 403.' })
  tradingStatus(@Ctx() context: Context): Promise<TradingStatusShape> {
    return readTradingSwitch(context);
  }

  @Access('operator', 'read')
  @Directive('@listSize(assumedSize: 100)')
  @Query(() => [Market], {
    description:
      'All configured markets, sorted by symbol, whether or not a venue currently trades them. Errors: 401, 403.',
  })
  async tradingMarkets(@Ctx() context: Context): Promise<MarketShape[]> {
    return (await listMarketRows(context)).map(toMarket);
  }

  @Access('operator', 'trade')
  @Mutation(() => Market, {
    description:
      'Adds a halted market: `resumeMarket` opens it once a venue trades it. Errors: 400 for values that are out of bounds; 401 and 403 without the role `trade`; 409 when the market already exists.',
  })
  async addMarket(
    @Ctx() context: Context,
    @Arg('market', () => MarketInput, { description: 'The market.' }) market: MarketInput,
  ): Promise<MarketShape> {
    this.forgetAfter(context);
    return toMarket(await addMarket(context, market));
  }

  @Access('operator', 'trade')
  @Mutation(() => Market, {
    description:
      'Changes the rules of a market; new orders follow them within a second. Errors: 400 for values that are out of bounds; 401 and 403 without the role `trade`; 404 when the market does not exist.',
  })
  async changeMarket(
    @Ctx() context: Context,
    @AtMost({ maxLength: 30 }) @Arg('symbol', () => String, { description: symbolText }) symbol: string,
    @Arg('change', () => MarketChangeInput, { description: 'Changes to make.' }) change: MarketChangeInput,
  ): Promise<MarketShape> {
    this.forgetAfter(context);
    return toMarket(await changeMarket(context, symbol, change));
  }

  @Access('operator', 'trade')
  @Mutation(() => Market, {
    description:
      'Rejects new orders in a market, real and synthetic, within a second; open orders can be cancelled. Repeating the call changes the reason. Errors: 400 for an empty or too long reason; 401 and 403 without the role `trade`; 404 when the market does not exist.',
  })
  async haltMarket(
    @Ctx() context: Context,
    @AtMost({ maxLength: 30 }) @Arg('symbol', () => String, { description: symbolText }) symbol: string,
    @Arg('reason', () => String, { description: reasonText }) reason: string,
  ): Promise<MarketShape> {
    this.forgetAfter(context);
    return toMarket(await haltMarket(context, symbol, reason));
  }

  @Access('operator', 'trade')
  @StepUp()
  @Mutation(() => Market, {
    description:
      'Resumes trading in a market. Repeating the call changes nothing. Errors: 401 and 403 without the role `trade`; 404 when the market does not exist.',
  })
  async resumeMarket(
    @Ctx() context: Context,
    @AtMost({ maxLength: 30 }) @Arg('symbol', () => String, { description: symbolText }) symbol: string,
  ): Promise<MarketShape> {
    this.forgetAfter(context);
    return toMarket(await resumeMarket(context, symbol));
  }

  @Access('operator', 'trade')
  @Mutation(() => TradingStatus, {
    description:
      'Turns the kill switch on: rejects new orders in all markets, real and synthetic, within a second; open orders can be cancelled. Errors: 400 for an empty or too long reason; 401 and 403 without the role `trade`.',
  })
  haltTrading(
    @Ctx() context: Context,
    @Arg('reason', () => String, { description: reasonText }) reason: string,
  ): Promise<TradingStatusShape> {
    this.forgetAfter(context);
    return haltTrading(context, reason);
  }

  @Access('operator', 'trade')
  @StepUp()
  @Mutation(() => TradingStatus, {
    description:
      'Resumes trading after `haltTrading`, except in markets that are halted individually. Errors: 401 and 403 without the role `trade`.',
  })
  resumeTrading(@Ctx() context: Context): Promise<TradingStatusShape> {
    this.forgetAfter(context);
    return resumeTrading(context);
  }

  /** In this process a change takes effect at once; elsewhere within a second. */
  private forgetAfter(context: Context): void {
    afterCommit(context, () => this.catalogue.forget());
  }
}

@Resolver()
export class PoolsResolver {
  constructor(private readonly pools: Pools) {}

  @Access('trader', 'read')
  @Query(() => PoolList, {
    description:
      'Balances of the platform at the connected exchanges, real or synthetic. They are rounded down, so that they reveal no single trades of other companies. Those of an ACTIVE exchange are at most ten minutes old. An exchange that does not respond within 2 seconds is UNAVAILABLE, with its last known balances; the request does not fail. REST: GET /v1/analytics/poolsBalances. Errors: 401 CAAS_AUTH_001; 403 without the scope `read`.',
  })
  async poolsBalances(
    @Ctx() context: Context,
    @Args(() => ModeArgs) { synthetic }: ModeArgs,
  ): Promise<Shape<PoolList>> {
    const decimals = new Map((await listCurrencies(context)).map((one) => [one.code, one.decimals]));
    return { pools: (await this.pools.read(synthetic)).map((pool) => toPool(pool, decimals)) };
  }
}

@Resolver()
export class CurrencyResolver {
  @Access('trader', 'read')
  @Directive('@listSize(assumedSize: 20)')
  @Query(() => [Currency], {
    description:
      'The currencies in which funds can be held, sorted by code; the same for real and synthetic wallets. Errors: 401 CAAS_AUTH_001; 403 without the scope `read`.',
  })
  currencies(
    @Ctx() context: Context,
    // Read by `requireSynthetic` in the sandbox only; declared here so that the schema contains it.
    @Args(() => ModeArgs) _mode: ModeArgs,
  ): Promise<Readonly<Currency>[]> {
    return listCurrencies(context);
  }

  @Access('operator', 'trade')
  @Mutation(() => Currency, {
    description:
      'Adds a currency for markets and for fees of exchanges. Deposits and withdrawals are possible once the program supports a network for it. Errors: 400; 401 and 403 without the role `trade`; 409 when the currency already exists.',
  })
  addCurrency(
    @Ctx() context: Context,
    @AtMost({ maxLength: 12 })
    @Arg('code', () => String, { description: 'Code as exchanges use it: 2 to 12 capital letters and digits.' })
    code: string,
    @Arg('decimals', () => Int, {
      description: 'Number of decimals of its amounts, from 0 to 18; it cannot be changed later.',
    })
    decimals: number,
    @Arg('fiat', () => Boolean, { defaultValue: false, description: 'Whether it is a fiat currency.' }) fiat: boolean,
  ): Promise<Readonly<Currency>> {
    return addCurrency(context, { code, decimals, fiat });
  }
}
