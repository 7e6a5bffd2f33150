import { Arg, Ctx, Directive, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/kernel/context.js';
import { afterCommit } from '../../../shared/database/transaction.js';
import { Access } from '../../../shared/graphql/access.js';
import { AtMost } from '../../../shared/graphql/constraint.js';
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
  TradingStatus,
  type MarketShape,
  type TradingStatusShape,
} from './market.type.js';

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
