import type { Registry } from '../../shared/registry.js';

export const tokenization = {
  rules: {
    RECORD_ASSIGNED:
      'Originator {originator} assigned the {record} in {batch}, so that it cannot be voided, not even once it is written off: write off one that is wrong (writeOffAsset), which stays visible with its status; its originator may then assign it again before its due day',
    TOKENS_HELD:
      'There are holders of {supply} tokens of the series {ticker} (contract {address}): have the tokens destroyed first, or close the series instead',
    ESTATE_OPEN_CREDITS:
      'The estate {ticker} has {open} open credits that originators assigned: have them settled or written off first, or close the estate instead',
    ESTATE_CREDITS:
      'Originators assigned {closed} credits to the estate {ticker}: void the estate instead, which includes them',
    PAYMENT_ABOVE_OPEN:
      'is more than the R$ {open} that are open: name the surplus (lateCharges, premium, expenses), or pay less',
    PAYMENT_BELOW_NAMED: 'is less than the R$ {named} of expenses, lateCharges and premium',
    PAYMENT_ABOVE_CHARGES: 'is more than the R$ {charges} that are open by the terms of the series on that day',
    PAYMENT_REFERENCE: 'must have 1 to 100 letters, digits and . _ : / -',
    PAYMENT_REFERENCE_USED: 'is that of another payment: R$ {amount} of instalment {number}',
    REVERSED_PART: 'must be an amount of at most R$ {last}, which settlement batches brought last',
    EVENT_NUMBER: 'must be the number of an event, such as E1',
    EVENT_NEEDS: 'is required of such an event',
    EVENT_WITHOUT: 'is no term of such an event',
    EVENT_PERCENT: 'must be above {above} and at most {most}, with at most 8 decimals',
    EVENT_UNITS: 'must be a whole number of units, at least 1',
    EVENT_AMOUNT:
      'must be an amount above 0 with at most 2 decimals, in place of percent, and of an EXTRA_AMORTIZATION only',
    EVENT_DAY: 'must be after {first} and not after {last}, the last day of the schedule',
    EVENT_DAY_AFTER: 'must be after {first}, on which remuneration starts',
    EVENT_BUSINESS_DAY: 'must be a business day',
    EVENT_THROUGH: 'must not be before day',
    EVENT_PAID: '{number} is paid, in part or whole: reverse its payments first',
    EVENT_LATER: '{number} follows it, and stands: withdraw that first',
    EVENT_BESIDE: 'is the day of {number}, beside which such an event is not possible: choose another day',
    EVENT_MAKE_WHOLE: 'needs payments that are known, and a series that follows DI has none',
    EVENT_INSTALMENT: 'is {number}, and the series has no such instalment',
    EVENT_NOT_LATE: 'must be after {due}, on which the instalment is due',
    EVENT_WAIVED: 'is more than the {left} % of fine and interest that other waivers leave',
    EVENT_NOTHING_LEFT: 'is one on which nothing is left',
    EVENT_WHOLE: 'must be less than {left}, which is all that is left: declare an EARLY_REDEMPTION',
    EVENT_ALL_UNITS: 'must be at most {most}: to redeem all units, declare an EARLY_REDEMPTION',
    EVENT_GRACE: 'must be a day from which on instalments follow: a grace spares some, and ends before the last one',
    EVENT_UNPRICED: 'The day has no price, since numbers of {index} are missing: give percent in place of amount',
    EVENT_WITHDRAWN: 'The event was withdrawn before',
    EVENT_STATUS: 'Events are of series that are FUNDRAISING or ACTIVE, and {ticker} is neither',
    EVENT_MOST: 'The series has {most} events, which is the most that are kept',
  },
  importRules: {
    ALL_WHERE_SETTLED: 'must be all {installments} where status is SETTLED',
    ONLY_WITH_INDEXER: 'is only allowed for series that follow {indexers}',
    REQUIRED_WITH_INDEXER: 'is required for series that follow {indexers}',
    BASE_OF_ISSUE_VALUE: 'must be START where amortizationOf is ISSUE_VALUE',
    MONTHLY_INDEX: 'is {value}, but {index} is monthly: give the first day of the month',
    NO_BUSINESS_DAY: 'is {value}, which is not a business day: there is no DI rate for it',
    INDEX_NUMBER: 'must be greater than 0, because {index} is an index number',
    PAID_IN_FULL: 'is required where paidAmount is the whole amount',
    NOT_PAID_IN_FULL: 'must be absent until the instalment is paid in full: paidAmount is less than amount',
    ACCRUED_AMORTIZES: 'must be 0 where interestEvent is ACCRUED',
    ONLY_WITH_PRICE: 'is only allowed with the amortization PRICE',
    SCHEDULE_BOUNDS: 'does not produce a schedule: {name} must be a whole number from {min} to {max}',
    NO_SCHEDULE: 'does not produce a schedule: {detail}',
    SAME_DAY: 'is the same as that of the instalment of {place}',
    ASSET_UNKNOWN: 'is "{value}", and the patrimony has no such asset',
    NAME_OF_PATRIMONY: 'is "{value}", by which patrimony {ticker} is found',
    SERIES_OF_PATRIMONY: 'is "{value}", a series of patrimony {ticker}',
    INSTALMENTS_STATED: 'is {value}, and the asset has {count} of them, numbered up to {last}',
    INSTALMENTS_COUNTED: 'of asset "{asset}" is {value}, and it has {count} of them, numbered up to {last}',
    REQUIRED_WITHOUT_INSTALMENTS: 'is required where the asset has no instalments',
    NOT_BY_INSTALMENTS: 'is {value}, and by the instalments it is {other}',
    UNLIKELY_STATUS: 'is {value}, and nextDueDate is {due}',
    PAID_TOO_MANY: 'is {value}, and {paid} were paid',
    ASSET_TRANSITION: 'becomes {value}, and the asset is {before}, from where it cannot come to that',
    PAYMENT_TAKEN_BACK:
      'is less than amount, and the instalment was paid on {day}: only an operator takes a payment back (reverseAssetPayment)',
    ASSET_ASSIGNED:
      'is "{value}", which originator {originator} assigned in {batch}: to correct it, write the asset off (writeOffAsset) and have the originator assign it again',
    INDEX_JUMP: 'is {value}, {change} % from the {before} of {day}: give a reason if it is right',
    PROJECTION_LATE:
      'is {value}, and the {index} of that month is known: give a reason if the days before its publication are to be priced by the projection',
    MONTH_MISSING: 'is {value}, and there is no {index} of {month}',
    SERIES_TRANSITION: 'is {value}, and the series is {before}, from where it cannot come to that',
    SERIES_INVESTED: 'is {value}, and money has been put into the series',
    SERIES_OWES: 'is {value}, and instalments of the series are not paid',
    SERIES_WITHOUT_SCHEDULE: 'is {value}, and money has been put into the series, which has no instalments',
    PAID_LEFT_OUT:
      'leaves out instalment {number}, which was paid: an operator first takes its payment back (reversePayment)',
    INSTALMENT_ORDER: 'is {value}, before that of the instalment before, which is {other}',
    BEFORE_REMUNERATION: 'is {value}, not after remunerationStartDate, which is {other}',
    PAID_BY_RECORD:
      'or an amount differs from the payments of R$ {paid} that operators recorded: record the rest (recordPayment), or take them back (reversePayment)',
    PAID_WITHOUT_PRICE: 'is required where paidOn is given, since the day has no unit price yet',
    AMORTIZES_TOO_MUCH: 'amortizes {share} % of the issue value, more than all',
    INCORPORATED_AFTER_AMORTIZATION:
      'incorporates interest in the issue value after a part of it was amortized, at instalment {number}: no base of the later percentages would be certain',
    SETTLED_PRICES: '{label} {record} has prices that are made of it: {changes}',
    SETTLED_PRICED: '{label} {record} is in prices that are published: {changes}',
    NEW_PRICED:
      'is a new instalment of {day}, and prices of that day are published: give a reason if they are to be corrected',
    CHANGED_BY_EVENT: 'differs from what event {event} made of it: withdraw the event first (withdrawTrancheEvent)',
    SETTLED_PUBLISHED: '{label} {record} is published: {changes}',
    SETTLED_RECEIVED: '{label} {record} has received {amount}: {changes}',
  },
  acts: [
    'changeTrancheStatus',
    'generateSchedule',
    'recordPayment',
    'payments',
    'reversePayment',
    'declareTrancheEvent',
    'withdrawTrancheEvent',
    'previewTrancheEvent',
    'recordAssetPayment',
    'reverseAssetPayment',
    'writeOffAsset',
    'renegotiateAsset',
    'revertAssetRenegotiation',
    'reprice',
    'indexValues',
    'registerCollection',
    'rereadCollection',
    'tokenizationWorkQueues',
    'retryTokenizationWork',
    'quarantineTokenizationWork',
    'releaseTokenizationWork',
  ],
  privileges: { 'tokenization.withdrawn_patrimonies': ['SELECT'], 'tokenization.withdrawn_tranches': ['SELECT'] },
  lookUps: { patrimonyTicker: 'VISIBLE', trancheTicker: 'VISIBLE' },
} as const satisfies Registry;

declare module '../../shared/registry.js' {
  interface Registries {
    readonly tokenization: typeof tokenization;
  }
}
