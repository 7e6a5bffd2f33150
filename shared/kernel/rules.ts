/**
 * The closed registry of the rules that an input, or the state that an act meets, can break: each is a stable code with its English text, in which
 * `{name}` stands for a value. Messages are made of it, so that code, values and text cannot differ; the panel has the same rules in the languages of
 * its readers (apps/panel/frame/messages).
 */
export const rules = {
  // Of a value: completes a sentence that begins with its place.
  REQUIRED: 'is required',
  NOT_NULL: 'must not be null: omit it to keep it',
  EITHER: 'must have either {first} or {second}, not both',
  TEXT_LENGTH: 'must have {min} to {max} characters',
  TEXT_TOO_LONG: 'must have at most {max} characters',
  PRINTABLE_LENGTH: 'must have {min} to {max} characters, none of them a control character or invisible',
  PRINTABLE_TOO_LONG: 'must have at most {max} characters, none of them a control character or invisible',
  VISIBLE: 'must have no character that cannot be seen',
  WELL_FORMED: 'must have no half of a character (an unpaired surrogate)',
  ONE_LINE: 'must be one line, without control characters',
  PUBLISHED_TOO_LONG: 'must have at most {max} characters as it is published, with its tax ids masked',
  SEARCH_WORD: 'must contain a letter or a digit',
  LIST_LENGTH: 'must have from {min} to {max} items',
  LIST_TOO_LONG: 'must have at most {max} items',
  LIST_OR_NULL: 'must have from {min} to {max} items, or be null for the default',
  ONE_OF: 'must be one of {known}',
  SOME_OF: 'must contain at least one of {known}',
  UUID_FORM: 'must be a UUID',
  NUMBER_RANGE: 'must be from {min} to {max}',
  WHOLE_NUMBER_RANGE: 'must be a whole number from {min} to {max}',
  NUMBER_DECIMALS: 'must be from {min} to {max}, with at most {decimals} decimals',
  PERCENT_DECIMALS: 'must be from {min} to {max}, in percent, with at most {decimals} decimals',
  AMOUNT_FORM: 'must be a decimal number greater than 0, such as "0.015"',
  AMOUNT_POSITIVE: 'must be greater than 0',
  AMOUNT_AT_MOST: 'must be greater than 0 and at most {max}',
  AMOUNT_AT_MOST_DECIMALS: 'must be greater than 0 and at most {max}, with at most {decimals} decimals',
  AMOUNT_BELOW_DECIMALS: 'must be greater than 0 and less than {limit}, with at most {decimals} decimals',
  AMOUNT_DECIMALS: 'must be greater than 0, with at most {decimals} decimals',
  AMOUNT_AT_LEAST: 'must be at least {min} {currency}',
  NUMBER_BELOW_DECIMALS: 'must be from {min} to less than {limit}, with at most {decimals} decimals',
  NUMBER_BELOW: 'must be at least {min} and less than {limit}',
  DECIMALS: 'must have at most {max} decimals',
  WHOLE_DIGITS: 'must have at most {max} digits before the decimal point',
  TOO_LARGE: 'is too large',
  DECIMAL_FORM: 'must be a decimal number as text, such as "1234.50", without leading zeros',
  DECIMAL_POINT: 'must be a decimal number as text, such as "1234.50": write "{instead}"',
  DATE_FORM: 'must be an existing day, as YYYY-MM-DD',
  DATE_TIME_FORM: 'must be an instant with its offset, as YYYY-MM-DDTHH:MM:SSZ',
  MONTH_FORM: 'must be a month, as YYYY-MM',
  NOT_BEFORE: 'must not be before `{field}`',
  NOT_LESS_THAN: 'must not be less than `{field}`',
  NOT_LESS_THAN_VALUE: 'must not be less than {field}, which is {value}',
  IN_FUTURE: 'must be in the future',
  NOT_IN_FUTURE: 'must not be in the future',
  WITHIN_NEXT_DAYS: 'must be within {days} days',
  WITHIN_LAST_DAYS: 'must be within the last {days} days, for which deliveries are kept',
  NOT_BEFORE_OR_OLDER: 'must not be before `{field}`, nor more than {days} days ago: deliveries are kept for so long',
  EMAIL_FORM: 'must be an e-mail address of at most {max} characters',
  CPF_FORM: 'must be the 11 digits of a CPF, without punctuation',
  CNPJ_FORM: 'must be the 14 characters of a CNPJ, digits or capital letters without punctuation',
  CPF_CHECK_DIGITS: 'is not a CPF: its check digits are wrong',
  CNPJ_CHECK_DIGITS: 'is not a CNPJ: its check digits are wrong',
  TAX_ID: 'must be a CPF or CNPJ with correct check digits, without punctuation',

  // Of accounts, operators and their keys.
  PASSWORD_FORM: 'must have {min} to {max} characters, with letters and numbers among them',
  PASSWORD_COMMON: 'is a very common password, which attackers guess first: choose another one',
  PASSWORD_WRONG: 'is not the password of the account',
  PASSWORD_NO_PROOF: 'does not count here: prove a second factor',
  PROOF_WRONG: 'is wrong, has expired, or was used before',
  TOTP_FORM: 'must be 6 digits',
  TOTP_WRONG: 'is not the present code of the application',
  TOTP_NOT_BEGUN: 'cannot be checked: call beginTotp first',
  PASSKEY_FORM: 'must be the JSON of a PublicKeyCredential (its toJSON())',
  PASSKEY_WRONG: 'is not valid, or its challenge has expired or was used: begin again',
  LINK_USELESS: 'is unknown, was used or has expired',
  OPERATION_TICKER: 'must be the ticker of an operation',
  ACCOUNT_ID: 'must be the id of an account',
  KEY_ID: 'must be the id of a key',
  REQUEST_ID_FORM: 'must be a UUID: other ids of requests are not stored',
  STATUS_FORM: 'must be a status from 100 to 599, or a class from 1 to 5',

  // Of webhooks.
  URL_SPACES: 'must have neither spaces nor control characters',
  URL_HTTPS: 'must begin with https://',
  URL_FORM: 'must be a URL that begins with https://, of at most {max} characters when percent-encoded',
  URL_PORT: 'must not have the port 0',
  URL_USER: 'must not contain a user or a password',
  URL_FRAGMENT: 'must not have a fragment',
  URL_PRIVATE: 'must lead to the public internet',
  DELIVERY_STATUSES: 'must be some of {known}: pending deliveries are sent anyway',
  TOO_MANY_DELIVERIES: 'has more than {max} deliveries: request a shorter period, or one type',

  // Of trading.
  LIMIT_PRICE: 'is required for a LIMIT order',
  MARKET_PRICE: 'must not be given for a MARKET order',
  GTD_EXPIRY: 'is required with GTD',
  ONE_SIZE: 'send amount or quoteAmount',
  ONE_SIZE_ONLY: 'send only one of amount and quoteAmount',
  SELL_BY_AMOUNT: 'is for a BUY: a SELL takes amount',
  MARKET_ORDER_TIME: 'must be IOC or FOK for a MARKET order',
  POST_ONLY_TIME: 'is only allowed for LIMIT orders with GTC or GTD',
  EXPIRY_GTD: 'is only allowed with GTD',
  CLIENT_ORDER_ID_FORM: 'must have {min} to {max} letters, digits, - and _',
  SANDBOX_SYNTHETIC: 'must be true: this is the sandbox, which has only synthetic data',
  NAME_OR_EMAIL: 'must have name or email',
  NETWORK_FORM: 'must be an address or a CIDR block, such as 203.0.113.7 or 10.0.0.0/8',
  FIRST_TIER: 'must be 0 in the first tier',
  TIER_GROWS: 'must be greater than that of the previous tier',
  TIER_FALLS: 'must not be greater than that of the previous tier',
  MARKET_SYMBOL: 'must be two different currencies of {known}, such as BTC/BRL',
  CURRENCY_CODE: 'must have {min} to {max} capital letters and digits, such as BTC',
  NOT_WITHDRAWABLE: 'is not a currency that can be withdrawn',
  NOT_DEPOSITABLE: 'is not a currency that can be deposited: {known} can',
  NOT_A_NETWORK: 'is not a network for withdrawals',
  NOT_IN_LEDGER: 'is not a currency of the ledger',
  CURRENCY_UNKNOWN: 'is not a currency here: fetchBalance lists them',
  ADDRESS_EVM:
    'must be 0x and 40 hexadecimal digits, all of one case or with a correct checksum (EIP-55), and not the zero address',
  ADDRESS_BITCOIN: 'must be an address of the bitcoin main network (bc1…, 1… or 3…) with a correct checksum',
  ADDRESS_PIX:
    'must be a PIX key: CPF or CNPJ without punctuation, e-mail, phone with its country as +5511912345678, or random key (UUID)',
  ADDRESS_BANK_ACCOUNT: 'must be bank/branch/account, as 001/1234-5/123456-7',
  ADDRESS_LOST: 'is an address from which nothing comes back: a burn address, or the contract of a token',
  ADDRESS_OF_HOUSE: 'is a deposit address of this platform: funds cannot be withdrawn to it',
  ADDRESS_NOT_LISTED: "is not on the company's list of withdrawal addresses",
  ADDRESS_TOO_NEW: 'may only be used from {from} on',
  DAILY_LIMIT: 'exceeds the limit of the company for 24 hours: {left} {currency} are left',
  TRAVEL_RULE: 'is required above {above} BRL, and where no price is known (travel rule)',

  // Of credit assignment.
  ORIGINATOR_CHOICE: 'must be given: the account is linked with several clients',
  ESTATE_UNKNOWN: 'is not the id of an estate',
  ESTATE_CLOSED: 'names an estate that is CLOSED and accepts no credits',
  ESTATE_WITHOUT_CRITERIA:
    'names an estate that has no eligibility criteria and accepts no credits until an operator sets them',

  // Of the desk of operators, and of files that are uploaded for imports.
  EXECUTION_FILL: 'must have amount and price together: always with FILLED, never with REJECTED',
  EXECUTION_PRICE_AT_MOST: 'must be at most {limit}, which is the limit of the execution',
  EXECUTION_PRICE_AT_LEAST: 'must be at least {limit}, which is the limit of the execution',
  REQUIRED_WITH_OUTCOME: 'is required with {value}',
  PIECE_FORM: 'must be Base64 of 1 to {max} bytes',
  IMPORT_FILES: 'must have 1 to {max} files',
  FILE_NAME_CHARACTERS: 'must not have slashes or control characters',
  FILE_NAME_END: 'must end in .json or .csv',
  FILE_NAME_TWICE: 'is the name of another file too',
  FILE_PIECES: 'has {count} of {pieces} pieces: upload it again, pieces are kept for two hours',
  FILE_GZIP: 'is not gzip, or is cut short',
  JSON_FILE_SIZE:
    'is larger than {json} MiB, or all files together than {all} MiB: put its long lists into CSV files, or import it by the command line',
  FILES_SIZE: 'makes all files together larger than {all} MiB: import them one after the other, or by the command line',

  // Of credit assignment, why a batch is rejected as a whole: the contracts that there are.
  CONTRACTS_INVALID: 'contracts with invalid data ({count} of {total})',
  CONTRACTS_INELIGIBLE: 'contracts that do not meet the eligibility criteria of the estate ({count} of {total})',
  CONTRACTS_ASSIGNED: 'contracts that are already assigned ({count} of {total})',
  // Whole sentences.
  REJECTED_BY_PERMIT: 'The estate {estate} is not permitted for the originator',
  REJECTED_BY_CLOSING: 'The estate {estate} is CLOSED and accepts no credits',
  REJECTED_BY_CRITERIA:
    'The estate {estate} has no eligibility criteria and accepts no credits until an operator sets them',
  PAYMENTS_REFUSED: 'Payments exceed the open balances of their receivables: {count} of {total}',
  PAYMENTS_REFUSED_REVERSED:
    'Payments exceed the open balances of their receivables, or repeat the reference of a reversed payment: {count} of {total}',
  PAYMENTS_REFUSED_CHANGED:
    'Payments exceed the open balances of their receivables, or differ from the payments recorded with their references: {count} of {total}',
  PAYMENTS_REFUSED_REVERSED_CHANGED:
    'Payments exceed the open balances of their receivables, or repeat the reference of a reversed payment, or differ from the payments recorded with their references: {count} of {total}',

  // Of the state that an act meets: whole sentences.
  IDEMPOTENCY_RUNNING: 'The first request with this idempotency key is still running',
  ROLE_MISSING: 'This key lacks the role {role}: use the key of an operator who has it',
  SCOPE_MISSING: 'This credential lacks the scope {scope}: use one that has it',
  EMAIL_UNCONFIRMED: 'Confirm the e-mail of the account before creating a key',
  ACCOUNT_DISABLED: 'This account is disabled. Ask the operator of this service',
  PASSWORD_CHANGED: 'The password was changed at the same time. Try again with the new one',
  PASSWORD_ELSEWHERE: "The issuer's portal manages the password of this account: change it there",
  FOLLOWS_FULL: 'The account already follows {max} operations: unfollow one of them first',
  TOTP_EXISTS: 'There is an authenticator application already: remove it first',
  PASSKEYS_FULL: 'There are {max} passkeys already: remove one of them first',
  PASSKEY_EXISTS: 'This passkey is registered already',
  LAST_FACTOR: 'This is the last second factor: add another one first',
  CODES_WITHOUT_FACTOR: 'Recovery codes replace a second factor: add one first',
  KEYS_FULL: 'The account already has {max} active keys: revoke one of them first',
  KEY_ROTATED: 'The key was rotated already: rotate the key that replaced it',
  KEY_ENDED: 'The key was revoked or has expired: create a new one',
  KEY_BEFORE_WORKS: 'The key that this one replaced, {prefix}, still works: revoke it first, or wait until it expires',
  KEY_PREFIX_UNKNOWN:
    'No key has this prefix: send the prefix as the list of keys shows it, svcpub_… for an API key, svc_dev_… for a developer key',
  ACCOUNT_ID_UNKNOWN: 'No account has the id {id}',
  ACCOUNT_EMAIL_UNKNOWN: 'No account has the e-mail {email}',
  OPERATOR_EXISTS: 'There is already an operator {email}',
  OPERATOR_REVOKED: 'The operator {email} is revoked: add the operator again',
  OWN_ROLES: 'Nobody changes their own roles: another operator does it',
  OPERATOR_KEYS_FULL: 'The operator {email} already has {max} valid keys: revoke one of them first',
  WEBHOOKS_FULL: 'The account already has {max} webhooks: delete one of them first',
  WEBHOOK_DEACTIVATED: 'The webhook is deactivated: activate it first',
  REDELIVERY_RUNNING: 'Another redelivery of this webhook is running: wait until its status is DONE',
  COMPANY_SUSPENDED: 'The company is suspended: it can read and cancel, but not open anything new',
  PROFILE_SUSPENDED: 'The profile is suspended: it can read and cancel, but not open anything new',
  MARKET_MINIMUM: 'The minimum amount of the market (minOrderSize of fetchMarkets) is {min} {currency}',
  ORDER_NOT_OPEN: 'The order is {status}: only an open order can be cancelled',
  LIMIT_ORDER_VALUE: 'The order exceeds an agreed limit: the maximum value of one order is R$ {max}',
  LIMIT_OPEN_ORDERS: 'The order exceeds an agreed limit: the company already has {count} open orders, its maximum',
  LIMIT_WALLET_OPEN_ORDERS:
    'The order exceeds an agreed limit: the wallet already has {count} open orders, its maximum',
  LIMIT_DAILY_VOLUME:
    'The order exceeds an agreed limit: the maximum value that the company trades per day is R$ {max}',
  LIMIT_WALLET_DAILY_VOLUME:
    'The order exceeds an agreed limit: the maximum value that a wallet trades per day is R$ {max}',
  TOO_FEW_OFFERS: 'The market has too few offers: at most {max} {currency} can be quoted now',
  ADDRESSES_FULL: 'The list already has the maximum of {max} addresses: remove one first',
  DEPOSIT_REVERSED:
    'The network reversed a deposit to this wallet. Withdrawals of every currency are blocked until an operator of the platform resolves it: try again then',
  WITHDRAWALS_HALTED: 'Withdrawals of {currency} are halted at the moment: try again later',
  APPROVER_KEY: 'Only operators with a key of their own can approve a withdrawal, or say that one came back',
  APPROVED_ALREADY: 'You have already approved this withdrawal: another operator has to approve it',
  RETURN_REPORTED: 'You have already said that this withdrawal came back: another operator has to confirm it',
  ISSUED_CREDENTIAL: 'You issued the credential that requested this withdrawal: other operators have to decide on it',
  ISSUED_KEY:
    'You issued a key of another operator who decides on this withdrawal, or your key was issued by one of them or by the issuer of the credential: another operator has to decide on it',
  IMPORT_REVERTED: 'The import {id} was already reverted by the import {by}',
  IMPORT_CHANGED: 'Nothing was reverted: {count} records have changed since',
  IMPORT_RUNNING: 'Another import is being written: try again when it has finished',
  RECORD_REFERRED:
    'The record cannot be removed: a record of {table} that would stay refers to it. Hide it (public) or close it instead',
  RECORD_KIND: '"{kind}" must be one of {known}',
  RECORD_NAMES: 'A {kind} is identified by {names}',
  RECORD_UNKNOWN: 'There is no {record}',
  RECORD_ASSIGNED:
    'Originator {originator} assigned the {record} in {batch}, so that it cannot be voided, not even once it is written off: write off one that is wrong (writeOffAsset), which stays visible with its status; its originator may then assign it again before its due day',
  ORIGINATOR_KEYS_FULL: 'The client already has {max} keys: revoke one of them first',
  ORIGINATOR_KEY_TAKEN: 'Another client uses this key: generate a new key pair for each client',
  ORIGINATOR_KEY_REVOKED: 'This key was revoked: generate a new key pair',
  WITHDRAWAL_STATE: 'The withdrawal is {state}, which does not permit this',
  WITHDRAWAL_NOT_HELD: 'A withdrawal that is {state} is not in quarantine',
  WITHDRAWAL_COMPANY_SUSPENDED: 'The company is suspended: approve it once this has changed, or reject it',
  WITHDRAWAL_PROFILE_SUSPENDED: 'The profile is suspended: approve it once this has changed, or reject it',
  WITHDRAWAL_ADDRESS_NOT_LISTED:
    "The address is not on the company's list of withdrawal addresses: approve it once this has changed, or reject it",
  WITHDRAWAL_ADDRESS_TOO_NEW:
    'The address may only be used from {from} on: approve it once this has changed, or reject it',
  DEPOSIT_STATE: 'A deposit that is {state} cannot be resolved in this way',
  DEPOSIT_NOT_HELD: 'A deposit that is {state} is not in quarantine',
  EXECUTION_NOT_WAITING: 'The execution does not wait for an operator: quarantinedOrders lists those that do',
  HEDGE_ORDER_NOT_WAITING: 'The hedge order does not wait for an operator: openHedges lists those that do',
  CREDENTIAL_REVOKED: 'The credential was revoked: add a new one',
  CREDENTIALS_FULL: 'The company already has {max} credentials: revoke one of them first',
  PROFILE_SUSPENDED_BY_OPERATOR: 'An operator suspended this profile: only an operator can activate it',
  JOB_RUNNING: 'The job is running: wait until it has ended',
  WORK_HELD: 'The item is in quarantine: release it',
  WORK_CLAIMED: 'The item is being worked on: look at it again when that has ended',
  WORK_NOT_FAILED: 'No attempt on the item has failed',
  AUDIT_EXPORT_FULL:
    'The filter selects {entries} entries, and an export has at most {max}: choose fewer days, or use lastro audit export',
  UPLOADS_FULL: '{max} pieces are waiting to be imported: import them, or wait two hours, after which they are deleted',
  IMPORT_REFUSED: 'Nothing was imported: the files have {count} errors',
  TOKENS_HELD:
    'There are holders of {supply} tokens of the series {ticker} (contract {address}): have the tokens destroyed first, or close the series instead',
  ESTATE_OPEN_CREDITS:
    'The estate {ticker} has {open} open credits that originators assigned: have them settled or written off first, or close the estate instead',
  ESTATE_CREDITS:
    'Originators assigned {closed} credits to the estate {ticker}: void the estate instead, which includes them',
  NO_ORIGINATOR: 'This account is linked with no client: ask the operator to link it',
  MAY_NOT_SEND:
    'This account may read the batches of the client, but not send for it. Ask the operator for the permission',
  NO_PERMIT: 'This client may not assign credits to the estate {ticker}. Ask the operator for a permit',
  ORIGINATOR_WITHOUT_ACCOUNT: 'The client is linked with no account: set its accountId first',
} as const;

export type RuleCode = keyof typeof rules;

/** The names of the values in a text. */
export type PlacesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PlacesIn<Rest>
  : never;

/** The values of a rule, by name. */
export type RuleValues<Code extends RuleCode> = Readonly<Record<PlacesIn<(typeof rules)[Code]>, string | number>>;
