import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Directive,
  FieldResolver,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import { AsOf } from '../../../shared/database/as-of/as-of.js';
import { Access, StepUp } from '../../../shared/graphql/access.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { percentageText } from '../../../shared/kernel/format/format.js';
import type { Repricer } from '../price-runs/reprice.js';
import { requireEntryNumber } from '../schedule/schedule.acts.js';
import {
  InterestEventEnum,
  LateChargesType,
  ScheduleAmounts,
  ScheduleEntry,
  toScheduleEntry,
  type ScheduleEntryShape,
} from '../schedule/schedule-entry.type.js';
import { entryName, schedulesOf } from '../schedule/schedule.store.js';
import { Tranche, type TrancheShape } from '../tranches/tranche.type.js';
import { declareEvent, previewEvent, withdrawEvent } from './event.acts.js';
import { eventsOf, type EventKind, type EventTerms, type PremiumRule, type TrancheEventRow } from './event.store.js';
import { args, day, fields, flag, list, nullable, of, text } from '../../../shared/graphql/fields.js';

const EventKindEnum = describeEnum<EventKind>(
  'TrancheEventKind',
  'What happens to a series beside its schedule.',
  {
    EXTRA_AMORTIZATION: 'A part of the principal is amortized, with the interest until then',
    EARLY_REDEMPTION: 'All that is left is redeemed; later instalments end',
    PARTIAL_REDEMPTION: 'Some units are redeemed at the unit price of the day; they cease once they are paid',
    INCORPORATION: 'The interest until then is added to the principal',
    GRACE: 'Instalments amortize nothing, and their interest is paid, incorporated or left to accrue',
    LATE_PAYMENT: 'An instalment is to be paid late, on a day, with the charges of the series',
    WAIVER: 'Holders waive fine and interest for the delay of an instalment, or a part of both',
  },
  {
    EXTRA_AMORTIZATION: ['Amortização extraordinária', 'Extraordinary amortization'],
    EARLY_REDEMPTION: ['Resgate antecipado', 'Early redemption'],
    PARTIAL_REDEMPTION: ['Resgate parcial', 'Partial redemption'],
    INCORPORATION: ['Incorporação de juros', 'Incorporation of interest'],
    GRACE: ['Carência', 'Grace period'],
    LATE_PAYMENT: ['Pagamento em atraso', 'Late payment'],
    WAIVER: ['Dispensa de encargos', 'Waiver of charges'],
  },
);

const PremiumRuleEnum = describeEnum<PremiumRule>(
  'PremiumRule',
  'Rule of a premium, on what is amortized, and on the interest too where units are redeemed. du are business days.',
  {
    FLAT: 'Base × percent ÷ 100',
    YEARLY: 'Base × percent ÷ 100 × du ÷ 252, du from the event to the last instalment',
    MAKE_WHOLE:
      'What Σ PMT ÷ (1 + percent ÷ 100)^(du ÷ 252) over the later instalments is more than the price, PMT at the updated value of the day; of an amortization its share. Not for series that follow DI',
  },
  {
    FLAT: ['Percentual fixo', 'Flat'],
    YEARLY: ['Ao ano, pelo prazo remanescente', 'A year, by the remaining term'],
    MAKE_WHOLE: ['Valor presente (make-whole)', 'Make-whole'],
  },
);

const eventTerms = {
  kind: of(() => EventKindEnum, 'What happens'),
  day: day(
    'Day on which it is due, a business day up to the last instalment; the first day of a GRACE, the day of the payment of a LATE_PAYMENT',
  ),
  through: nullable.day('Last day of a GRACE, before the last instalment'),
  installmentNumber: nullable.int('Number of the instalment of a LATE_PAYMENT or a WAIVER'),
  percent: nullable.decimal(
    'Amortization in percent of `amortizationOf` of the series; of a WAIVER the share of the charges, all when omitted. At most 8 decimals',
  ),
  quantity: nullable.text('Units of a PARTIAL_REDEMPTION, an integer'),
  lot: nullable.text(
    'Units that were drawn, where they are redeemed by lot; none where each holder gives the same share',
  ),
  interestEvent: nullable.of(
    () => InterestEventEnum,
    'Use of the interest during a GRACE; that of each instalment when omitted',
  ),
  premiumRule: nullable.of(() => PremiumRuleEnum, 'Rule of the premium; none when omitted'),
  premiumPercent: nullable.decimal(
    'Percentage of the rule: of the base, or a year; of MAKE_WHOLE the rate that discounts, a year',
  ),
  reason: text('Reason, 1 to 500 characters on one line; it is published'),
  document: nullable.text('Document or assembly that decides it, at most 500 characters; it is published'),
};

@ArgsType()
class EventArgs extends args({
  ...eventTerms,
  ticker: text('Ticker of the series, in any case'),
  amount: nullable.decimal(
    'Principal of an EXTRA_AMORTIZATION for all units in BRL, in place of `percent`: the percentage that makes it, with 8 decimals, is declared',
  ),
}) {}

@ObjectType({ simpleResolvers: true, description: 'An event of a series, as it was declared.' })
export class TrancheEvent extends fields({
  ...eventTerms,
  number: text('Number, from `E1`; it stays when the event is withdrawn'),
  declaredAt: nullable.time('Time of its declaration; null in a preview'),
  withdrawnAt: nullable.time('Time of its withdrawal; null while it stands'),
  withdrawalReason: nullable.text('Reason of its withdrawal; null while it stands'),
}) {}

type EventShape = Shape<TrancheEvent> & { readonly row?: TrancheEventRow };

@ObjectType({ simpleResolvers: true, description: 'A unit price before and after an event.' })
class PreviewedPrice extends fields({
  date: day('Day'),
  before: nullable.decimal('Unit price without the event, 8 decimals; null once nothing is left'),
  after: nullable.decimal(
    'Unit price with it, 8 decimals, that of its day before it is paid; null once nothing is left',
  ),
}) {}

@ObjectType({ simpleResolvers: true, description: 'A payment that an event changes, adds or ends.' })
class PreviewedPayment extends fields({
  number: text('Number of the instalment, or of the event'),
  dueDate: day('Business day on which it is due'),
  before: nullable.decimal('Total for all units in BRL without the event'),
  after: nullable.decimal('Total for all units in BRL with it'),
}) {}

/** The field of a webhook event that this domain knows: its name. The rest of the entity belongs to webhooks. */
@Directive('@key(fields: "name", resolvable: false)')
@ObjectType({ simpleResolvers: true, description: 'An event to which webhooks can subscribe.' })
class WebhookEvent extends fields({
  name: text('Name of the event: webhooks subscribe to it, and deliveries contain it as `type`.'),
}) {}

@ObjectType({
  simpleResolvers: true,
  description:
    'What declaring an event would change. Days whose index number is not known use the newest one, as projections do.',
})
class TrancheEventPreview extends fields({
  event: of<Shape<TrancheEvent>>(() => TrancheEvent, 'The event, with the number that it would have now'),
  isCorrection: flag('Whether a price of its day or a later one is published, so that it corrects prices'),
  value: nullable.of<Shape<ScheduleAmounts>>(() => ScheduleAmounts, 'What it pays; null for one that pays nothing'),
  prices: list<Shape<PreviewedPrice>>(
    () => PreviewedPrice,
    'Prices of its day, the next business day and the published days after it, at most 400',
    { assumedSize: 50 },
  ),
  payments: list<Shape<PreviewedPayment>>(() => PreviewedPayment, 'Payments from its day on that change, by due day', {
    assumedSize: 50,
  }),
  lateCharges: nullable.of<Shape<LateChargesType>>(
    () => LateChargesType,
    'Charges of the instalment of a LATE_PAYMENT or WAIVER on the day, with what is waived',
  ),
  announces: list<Readonly<WebhookEvent>>(() => WebhookEvent, 'The webhook events that would tell it', {
    assumedSize: 3,
  }),
}) {}

@Resolver(() => TrancheEvent)
export class TrancheEventResolver {
  constructor(
    private readonly repricer: Repricer,
    private readonly calendar: () => Promise<Calendar>,
  ) {}

  @Access('operator', 'publish')
  @Query(() => TrancheEventPreview, {
    description:
      'What an event of a series would change, as `declareTrancheEvent` would: prices before and after, payments, and the events that tell it. Errors: those of `declareTrancheEvent`.',
  })
  async previewTrancheEvent(
    @Ctx() context: Context,
    @Args(() => EventArgs) { ticker, ...given }: EventArgs,
  ): Promise<Shape<TrancheEventPreview>> {
    const { event, announces, ...rest } = await previewEvent(context, await this.calendar(), ticker, toGiven(given));
    return { ...rest, event: toEvent(event), announces: announces.map((name) => ({ name })) };
  }

  @Access('operator', 'publish')
  @StepUp()
  @Mutation(() => TrancheEvent, {
    description:
      'Declares an event of a series, such as an early redemption: its schedule follows, instalments keep their numbers, and what it pays is recorded by `recordPayment`. On a day with a published price it is a correction. Declared again with the same kind, day, terms and document, it is the one that stands. `tranche.event_declared` is announced. Errors: 400 for an empty reason; 404 for a series that does not exist; 409 for one that is not FUNDRAISING or ACTIVE; 422 for terms that its kind does not have, and where later instalments are paid.',
  })
  async declareTrancheEvent(
    @Ctx() context: Context,
    @Args(() => EventArgs) { ticker, ...given }: EventArgs,
  ): Promise<EventShape> {
    return toEvent(await declareEvent(context, this.repricer, ticker, toGiven(given)));
  }

  @Access('operator', 'publish')
  @StepUp()
  @Mutation(() => TrancheEvent, {
    description:
      'Withdraws an event of which nothing is paid: the schedule is as it was before, and prices follow. `tranche.event_withdrawn` is announced. Errors: 400 for an empty reason or number; 404 for an event that does not exist; 409 for one that was withdrawn or paid, or that a later one follows.',
  })
  async withdrawTrancheEvent(
    @Ctx() context: Context,
    @Arg('ticker', () => String, { description: 'Ticker of the series, in any case' }) ticker: string,
    @Arg('number', () => String, { description: 'Number of the event, such as `E1`' }) event: string,
    @Arg('reason', () => String, { description: 'Reason, 1 to 500 characters on one line; it is published' })
    reason: string,
  ): Promise<EventShape> {
    const number = -requireEntryNumber({ event }, 'number');
    return toEvent(await withdrawEvent(context, this.repricer, { ticker, number, reason }));
  }

  @FieldResolver(() => ScheduleEntry, {
    nullable: true,
    description: 'What it pays, as an entry of the schedule; null for one that pays nothing, or was withdrawn',
  })
  async entry(@Ctx() context: Context, @Root() { row }: EventShape): Promise<ScheduleEntryShape | null> {
    if (row === undefined) return null;
    const rows = await loaderOf(context, schedulesOf).load(row.trancheId);
    const found = rows.find(({ installmentNumber }) => installmentNumber === -row.number);
    return found === undefined ? null : toScheduleEntry(found);
  }
}

@Resolver(() => Tranche)
export class TrancheEventsResolver {
  @AsOf()
  @Directive('@listSize(assumedSize: 5)')
  @FieldResolver(() => [TrancheEvent], {
    description: 'What happened to it beside its schedule, by number, withdrawn events included; at most 200',
  })
  async events(@Ctx() context: Context, @Root() { id }: TrancheShape): Promise<EventShape[]> {
    return (await loaderOf(context, eventsOf).load(id)).map(toEvent);
  }
}

function toGiven({ reason, kind, day, ...optional }: Omit<EventArgs, 'ticker'>): EventTerms {
  const { through = null, installmentNumber = null, percent = null, amount = null, quantity = null } = optional;
  const { lot = null, interestEvent = null, premiumRule = null, premiumPercent = null, document = null } = optional;
  return {
    ...{ kind, day, through, installmentNumber, percent, amount, quantity },
    ...{ lot: textOf(lot), interestEvent, premiumRule, premiumPercent, reason, document: textOf(document) },
  };
}

const textOf = (text: string | null) => (text === null || text.trim() === '' ? null : text.trim());

function toEvent(row: TrancheEventRow): EventShape {
  const percentage = (value: string | null) => (value === null ? null : percentageText(value));
  return {
    ...row,
    number: entryName(-row.number),
    percent: percentage(row.percent),
    premiumPercent: percentage(row.premiumPercent),
    row,
  };
}
