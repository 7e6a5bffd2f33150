import { Args, Ctx, Mutation, Query, Resolver, Arg, Directive, FieldResolver, ID, Root } from 'type-graphql';
import { type Context, loaderOf } from '../../../shared/kernel/context.js';
import { Access, StepUp } from '../../../shared/graphql/access.js';
import { FormMutation } from '../../../shared/graphql/forms.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { Order, toOrder, ResolutionArgs, UnknownExecution } from '../orders/order.type.js';
import { createQuote, type QuoteParts, executeQuote, readQuote } from './quotes.acts.js';
import { CreateQuoteArgs, QuoteArgs, Quote, toQuote, OpenHedge } from './quote.type.js';
import { listOpenHedges, unsettledOrdersOf } from './hedge.store.js';
import { resolveHedgeOrder } from './settle-hedge.js';

const common = (scope: string) =>
  `401 CAAS_AUTH_001; 403 without the scope \`${scope}\`; 404 for a profile that does not belong to the company`;

@Resolver()
export class QuoteResolver {
  constructor(private readonly parts: QuoteParts) {}

  @Access('trader', 'trade')
  @FormMutation()
  @Mutation(() => Quote, {
    description: `Quotes a price that is guaranteed for 30 seconds, without a hold on funds. REST: POST /v1/orders/rfq/createQuote. Errors: 400; 400 CAAS_ORD_002 for a market that is not traded, CAAS_ORD_003 for an amount below its minimum; ${common('trade')}; 403 for a suspended profile or company; 422 for an amount that is not greater than 0, that the order books cannot fill, or that exceeds a limit: 20 open quotes per wallet, and the value of a company's quotes in a market that are open or not yet hedged.`,
  })
  async createQuote(
    @Ctx() context: Context,
    @Args(() => CreateQuoteArgs) { profileId, synthetic, ...input }: CreateQuoteArgs,
  ): Promise<Shape<Quote>> {
    return toQuote(await createQuote(context, this.parts, { profileId, synthetic }, input));
  }

  @Access('trader', 'trade')
  @Mutation(() => Order, {
    description: `Executes a quote: an order at the quoted price, filled completely. REST: POST /v1/orders/rfq/createOrder and POST /v1/orders/rfq/executeQuote. Errors: 400 CAAS_ORD_001 for insufficient funds, CAAS_ORD_002 while the market is halted; ${common('trade')} or a quote that is not in the wallet; 403 for a suspended profile or company; 409 CAAS_RFQ_002 for a quote that was already executed; 410 CAAS_RFQ_001 for one that has expired; 422 when it exceeds an agreed limit.`,
  })
  async executeQuote(
    @Ctx() context: Context,
    @Args(() => QuoteArgs) { quoteId, ...choice }: QuoteArgs,
  ): Promise<Shape<Order>> {
    return toOrder(await executeQuote(context, this.parts, choice, quoteId));
  }

  @Access('trader', 'read')
  @Query(() => Quote, {
    description: `A quote of the wallet; an expired one is stored for a day. REST: GET /v1/orders/rfq/fetchQuote. Errors: ${common('read')} or a quote that is not in the wallet.`,
  })
  async fetchQuote(
    @Ctx() context: Context,
    @Args(() => QuoteArgs) { quoteId, ...choice }: QuoteArgs,
  ): Promise<Shape<Quote>> {
    return toQuote(await readQuote(context, choice, quoteId));
  }
}

@Resolver(() => OpenHedge)
export class OpenHedgeResolver {
  @Access('operator', 'read')
  @Directive('@listSize(assumedSize: 100)')
  @Query(() => [OpenHedge], {
    description: 'Executed quotes that are not yet completely traded at the venues; the oldest 500. Errors: 401, 403.',
  })
  openHedges(@Ctx() context: Context): Promise<Omit<Shape<OpenHedge>, 'orders'>[]> {
    return listOpenHedges(context, 500);
  }

  @FieldResolver(() => [UnknownExecution], {
    description:
      'Unsettled orders at venues for the hedge, oldest first. While there are any, no more are sent; from 12 `looks` on an operator can settle one of them (`resolveHedgeOrder`).',
  })
  orders(@Root() { quoteId }: Shape<OpenHedge>, @Ctx() context: Context): Promise<Shape<UnknownExecution>[]> {
    return loaderOf(context, unsettledOrdersOf).load(quoteId);
  }

  @Access('operator', 'trade')
  @StepUp()
  @Mutation(() => ID, {
    description:
      'Settles a hedge order whose outcome at the venue could not be determined in 12 look-ups, with its outcome there; later reports of the venue change nothing. The rest of the hedge is traded again. Returns the id of the quote. Errors: 400; 401 and 403 without the role `trade`; 404; 409 for a hedge order that does not wait for an operator.',
  })
  resolveHedgeOrder(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: 'Id of the hedge order (UUID), which is the client order id at the venue.' })
    id: string,
    @Args(() => ResolutionArgs) resolution: ResolutionArgs,
  ): Promise<string> {
    return resolveHedgeOrder(context, id, resolution);
  }
}
