import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import {
  buildSchema,
  getNamedType,
  getNullableType,
  isLeafType,
  isListType,
  isObjectType,
  type GraphQLField,
  type GraphQLObjectType,
} from 'graphql';

const schema = buildSchema(readFileSync('supergraph.graphql', 'utf8'), { assumeValid: true });
const types = Object.values(schema.getTypeMap()).filter(
  (type): type is GraphQLObjectType => isObjectType(type) && !type.name.startsWith('__'),
);
const fieldsOf = (type: GraphQLObjectType) => Object.values(type.getFields());
type AnyField = GraphQLField<unknown, unknown>;

const isList = ({ type }: AnyField) => isListType(getNullableType(type));
const hasSizeArgument = ({ args }: AnyField) => args.some(({ name }) => ['first', 'last', 'limit'].includes(name));
const declaresSize = ({ astNode }: AnyField) =>
  astNode?.directives?.some(({ name }) => name.value === 'listSize') === true;

const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
/** Types of which some object is not a page, whose size its field says by an argument. */
const outsideOfPages = new Set([
  ...roots.map((type) => type?.name),
  ...types
    .flatMap(fieldsOf)
    .filter((field) => isList(field) || !hasSizeArgument(field))
    .map(({ type }) => getNamedType(type).name),
]);

/** Lists that have at most ten items, and why. */
const upToTen: Readonly<Record<string, string>> = {
  'AgingSection.faixas': 'nine bands of days late',
  'InventorySummary.faixas': 'nine bands of days late',
  'PortfolioReport.aging': 'nine bands of days late',
  'LoanToValue.bands': 'fixed bands of the ratio',
  'LtvSection.faixas': 'fixed bands of the ratio',
  'PortfolioProvisioning.bands': 'the classes of provisioning',
  'ProvisioningSection.faixas': 'the classes of provisioning',
  'ConcentrationSection.maiores': 'totals of the largest 1, 5, 10 and 20',
  'DebtorConcentration.largest': 'totals of the largest 1, 5, 10 and 20',
  'PortfolioSection.taxas': 'the indexers',
  'PortfolioTotals.rates': 'the indexers',
  'OperationCard.kpis': 'three indicators',
  'OperationDetail.kpis': 'three indicators',
  'OperationComparison.operations': 'ten tickers can be named',
  'Operation.guarantees': 'the guarantees of one deed',
  'OperationDetail.garantias': 'the guarantees of one deed',
  'Operation.participants': 'the companies with a role in one operation',
  'OperationDetail.participants': 'the companies with a role in one operation',
  'Operation.accounts': 'the bank accounts of one operation',
  'OperationFinance.contas': 'the bank accounts of one operation',
  'Operation.permittedInvestments': 'the investments that one deed permits',
  'OperationFinance.aplicacoesPermitidas': 'the investments that one deed permits',
  'DepositAddresses.addresses': 'the networks of one currency',
  'WithdrawalTerms.networks': 'the networks of one currency',
  'OpenHedge.orders': 'unsettled orders of one hedge; none is sent while there are any',
  'QuarantinedOrder.executions': 'unsettled executions of one order, one at a venue',
  'InputError.values': 'the values of one rule',
  'ImportFileError.values': 'the values of one rule',
  'RejectionRule.values': 'the values of one rule',
  'BatchFileRefusal.values': 'the values of one rule',
  'BatchFileRefusalDetail.values': 'the values of one rule',
  'CreditBatch.rejectionRules': 'one for each of three kinds of checks',
  'CreditBatchCheck.rejectionRules': 'one for each of three kinds of checks',
  'BatchFileCheck.rejectionRules': 'one for each of three kinds of checks',
  'SettlementBatch.rejectionRules': 'one rule',
  'Query.tradingWallets': 'the real and the synthetic wallet',
  'Mutation.disableAccount': 'one account',
  'Mutation.enableAccount': 'one account',
};

test('every list of objects says how many items it has, or has at most ten', () => {
  const lists = types
    .filter(({ name }) => outsideOfPages.has(name))
    .flatMap((type) => fieldsOf(type).map((field) => ({ place: `${type.name}.${field.name}`, field })))
    .filter(({ field }) => isList(field) && !hasSizeArgument(field) && !isLeafType(getNamedType(field.type)));
  const silent = lists.filter(({ field }) => !declaresSize(field)).map(({ place }) => place);
  // Federation's own fields are not shown to callers.
  expect(silent.filter((place) => !place.startsWith('Query._')).sort()).toEqual(Object.keys(upToTen).sort());
});

/** Subscriptions that report a state of which only the latest counts, and say so. */
const latestOnly = ['depth', 'ticker'];

test('every subscription resumes after a cursor, or says why there is nothing to resume', () => {
  const subscriptions = Object.values(schema.getSubscriptionType()?.getFields() ?? {});
  const without = subscriptions.filter(({ args }) => !args.some(({ name }) => name === 'since'));
  expect(without.map(({ name }) => name).sort()).toEqual(latestOnly);
  for (const { description } of without) expect(description).toContain('there is nothing to resume');
  for (const { name, type } of subscriptions.filter((one) => !without.includes(one))) {
    const event = getNamedType(type);
    expect([name, isObjectType(event) && 'cursor' in event.getFields()]).toEqual([name, true]);
  }
});
