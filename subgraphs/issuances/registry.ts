import type { Registry } from '../../shared/registry.js';

export const issuances = {
  rules: {
    MONTH_INCOMPLETE:
      '{month} lacks {count} of its prices, payments and positions: import them, or give a reason to close it as it is',
    REASON_TO_CLOSE: 'is required to close the month as it is',
  },
  importRules: {
    OPEN_PART: 'must be a part of totalValue, of a payment that is not made',
    SITE_PATH_FORM: 'must be a path of the website, like /emissoes/residencial-aurora, and {value} is not',
    CODE_FORM: 'must be a code of capital letters and digits, and {value} is not',
    CONTRACT_ADDRESS_FORM: 'must be an address: 0x and 40 hexadecimal digits, and {value} is not',
    HASH_FORM: 'must be a hash: 0x and 64 hexadecimal digits in lower case, and {value} is not',
    ISIN: 'must be an ISIN: {value} has a wrong form or check digit',
    ONLY_WRITTEN_OFF: 'may be given only where status is WRITTEN_OFF, but status is {status}',
    PAGE_NAME: 'is {value}, whose last part is neither the slug nor the ticker of the operation',
    NUMBER_TAKEN: 'has the number of the series of {place}',
    SERIES_UNKNOWN: 'is "{value}", and there is no such series',
    SERIES_FOREIGN: 'is "{value}", a series of another operation',
    NAME_OF_OPERATION: 'is "{value}", by which operation {ticker} is found',
    SERIES_OF_OPERATION: 'is "{value}", a series of operation {ticker}',
    NUMBER_OF_SERIES: 'is {value}, the number of series {ticker}',
    AFTER_OPERATION: 'is {value}, after the maturityDate of the operation, which is {other}',
    OUTSIDE_LIFE: 'is {value}, and the series lives from {from} to {to}',
    CONTRACT_OF_OPERATION: 'is that of a contract of operation {ticker}',
    BANDS_WITHOUT_START: 'must be 0 in one of the bands of an operation',
    NO_POSITIONS: 'is {value}, and there are no positions of that month, here or in the house',
    OTHER_POSITIONS: 'is {value}, and there are {count} positions of {month}, here and in the house',
    ENGINE_PRICE:
      'is a price of the series {ticker}, which the engine computes from tranche {tranche}: correct its terms or index values there, or have the prices of the series typed',
    ENGINE_PAYMENT:
      'is a payment of the series {ticker}, which comes from tranche {tranche}: record or reverse it there, or have the prices of the series typed',
    ENGINE_CONTRACT: 'is "{value}", a credit that an originator assigned to the estate: it follows the estate',
    ENGINE_DIFFERS:
      'is {value}, and the engine computed {engine} (difference {difference}): give a reason if it is right',
    PRICE_JUMP:
      'is {value}, {change} % from the {before} of {day}, and {ticker} moves at most {limit} % a day (paid on a unit in between: {paid})',
    MONTH_PRICE: 'is {value}, and series {ticker} has no unit price of {day}: its last one is of {last}',
    MONTH_PAYMENT: 'is {value}, and a payment that was due on {day} is open: {payment}',
    MONTH_POSITION: 'is {value}, and contract {contract} has no position of it',
    SETTLED_REPORT: '{label} {record} is of a month whose report is final: {changes}',
  },
  acts: ['closeReport', 'reissueReport', 'takeBook', 'setSeriesPricing', 'typedPriceDifferences'],
  privileges: { 'issuances.operation_marks': ['SELECT'], 'issuances.withdrawn_operations': ['SELECT'] },
} as const satisfies Registry;

declare module '../../shared/registry.js' {
  interface Registries {
    readonly issuances: typeof issuances;
  }
}
