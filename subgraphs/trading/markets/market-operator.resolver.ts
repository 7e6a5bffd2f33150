import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/context.js';
import { afterCommit } from '../../../shared/database/transaction.js';
import { Access } from '../../../shared/subgraph/access.js';
import { AtMost } from '../../../shared/subgraph/constraint.js';
import { addMarket } from './add-market.js';
import type { Catalogue } from './catalogue.js';
import { changeMarket, haltMarket, resumeMarket } from './change-market.js';
import { haltTrading, resumeTrading } from './halt-trading.js';
import { listMarketRows, readTradingSwitch } from './market.store.js';
import {
  Market,
  MarketChangeInput,
  MarketInput,
  toMarket,
  toTradingStatus,
  TradingStatus,
  type MarketShape,
  type TradingStatusShape,
} from './market.type.js';

const symbolText = 'A market, as `BTC/BRL`.';
const reasonText = 'Why: traders are told. 1 to 500 characters on one line.';

@Resolver()
export class MarketOperatorResolver {
  constructor(private readonly catalogue: Catalogue) {}

  @Access('operator', 'read')
  @Query(() => TradingStatus, { description: 'The kill switch: whether anything is traded at all. Errors: 401, 403.' })
  async tradingStatus(@Ctx() context: Context): Promise<TradingStatusShape> {
    return toTradingStatus(await readTradingSwitch(context));
  }

  @Access('operator', 'read')
  @Query(() => [Market], {
    description: 'Every market as it is set up, by symbol, whether or not a venue trades it now. Errors: 401, 403.',
  })
  async tradingMarkets(@Ctx() context: Context): Promise<MarketShape[]> {
    return (await listMarketRows(context)).map(toMarket);
  }

  @Access('operator', 'trade')
  @Mutation(() => Market, {
    description:
      'Adds a market, halted: `resumeMarket` opens it once a venue trades it. Errors: 400 for values out of bounds; 401 and 403 without the role `trade`; 409 where there is such a market.',
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
      'Changes the rules of a market for orders that come within a second from then on. Errors: 400 for values out of bounds; 401 and 403 without the role `trade`; 404 for no such market.',
  })
  async changeMarket(
    @Ctx() context: Context,
    @AtMost({ maxLength: 30 }) @Arg('symbol', () => String, { description: symbolText }) symbol: string,
    @Arg('change', () => MarketChangeInput, { description: 'What is to be changed.' }) change: MarketChangeInput,
  ): Promise<MarketShape> {
    this.forgetAfter(context);
    return toMarket(await changeMarket(context, symbol, change));
  }

  @Access('operator', 'trade')
  @Mutation(() => Market, {
    description:
      'Takes no new orders in a market, real or synthetic, within a second; open orders can be cancelled. Doing it again changes the reason. Errors: 400 for an empty or long reason; 401 and 403 without the role `trade`; 404 for no such market.',
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
  @Mutation(() => Market, {
    description:
      'Takes orders in a market again. Doing it again changes nothing. Errors: 401 and 403 without the role `trade`; 404 for no such market.',
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
      'The kill switch: takes no new orders in any market, real or synthetic, within a second; open orders can be cancelled. Errors: 400 for an empty or long reason; 401 and 403 without the role `trade`.',
  })
  async haltTrading(
    @Ctx() context: Context,
    @Arg('reason', () => String, { description: reasonText }) reason: string,
  ): Promise<TradingStatusShape> {
    this.forgetAfter(context);
    return toTradingStatus(await haltTrading(context, reason));
  }

  @Access('operator', 'trade')
  @Mutation(() => TradingStatus, {
    description:
      'Lets trading go on after `haltTrading`, but for markets that are halted by themselves. Errors: 401 and 403 without the role `trade`.',
  })
  async resumeTrading(@Ctx() context: Context): Promise<TradingStatusShape> {
    this.forgetAfter(context);
    return toTradingStatus(await resumeTrading(context));
  }

  /** In this process a change takes effect at once; elsewhere within a second. */
  private forgetAfter(context: Context): void {
    afterCommit(context, () => {
      this.catalogue.forget();
    });
  }
}
