import type { Config } from '../../shared/kernel/config.js';
import type { Context } from '../../shared/kernel/context.js';
import type { KeyRing } from '../../shared/security/crypto.js';
import { createCursorCodec } from '../../shared/graphql/cursor.js';
import { readMigrations } from '../../shared/database/migrate.js';
import type { Logger } from '../../shared/kernel/log.js';
import { buildSubgraph } from '../../shared/graphql/build.js';
import type { Subgraph } from '../../shared/graphql/subgraph.js';
import { ActivityResolver } from './activity/activity.resolver.js';
import { workQueueResolvers } from '../../shared/work/queue/work-queue.resolver.js';
import { batchUpdateResolver } from './batches/batch.resolver.js';
import { Cnab444OperatorResolver } from './cnab444/cnab444.resolver.js';
import { FileCheckResolver, SendFileResolver } from './files/file.resolver.js';
import {
  CreditBatchMutationsResolver,
  CreditBatchListResolver,
  CreditBatchReceivablesResolver,
  CreditBatchResolver,
  RemakeCreditBatchResolver,
} from './credit-batches/credit-batch.resolver.js';
import { creditBatchGraph } from './credit-batches/credit-batch.graph.js';
import { creditBatches } from './credit-batches/credit-batch.kind.js';
import { CriteriaResolver } from './criteria/criteria.resolver.js';
import { CreditBatchCheckResolver } from './eligibility/credit-batch-check.resolver.js';
import { LimitUsageResolver } from './eligibility/limit-usage.resolver.js';
import { keepEstates } from './estates/keep-estates.js';
import { openSigningOriginators, type SigningOriginators } from './originators/signing-originators.js';
import { OriginatorResolver, PermitResolver, OwnKeyResolver } from './originators/originator.resolver.js';
import { unlinkOriginators } from './originators/originator.store.js';
import { onAccountsDeleted } from '../../shared/events/outbox/outbox.js';
import { batchKinds, failingBatches } from './processing/batch-kinds.js';
import { concludeBatches } from './processing/process-batch.js';
import { createProcessingEngine, watchedBatches, type ProcessingEngine } from './processing/engine.js';
import { LateChargesResolver, ReceivableResolver } from './receivables/receivable.resolver.js';
import { ReceivableStatementResolver } from './statements/statement.resolver.js';
import { takeOperatorPayments } from './receivables/take-operator-payments.js';
import { CreditBatchReturnResolver } from './returns/return.resolver.js';
import {
  SettlementBatchMutationsResolver,
  SettlementBatchListResolver,
  SettlementBatchPaymentsResolver,
  SettlementBatchResolver,
} from './settlement-batches/settlement-batch.resolver.js';
import { settlementBatchGraph } from './settlement-batches/settlement-batch.graph.js';
import { settlementBatches } from './settlement-batches/settlement-batch.kind.js';
// After the resolvers of the types themselves: the schema shows the fields of relations last.
import {
  AssetCreditBatchResolver,
  CreditBatchPatrimonyResolver,
  CreditBatchSettlementBatchesResolver,
  PatrimonyCreditBatchesResolver,
  ReceivableAssetResolver,
  ReceivableSettlementsResolver,
  ReceivableRenegotiationsResolver,
  SettlementBatchCreditBatchResolver,
  SettlementBatchOfSettlementResolver,
  references,
} from './relations/relations.resolver.js';
import { CreditBatchYieldResolver, PatrimonyYieldResolver, ReceivableYieldResolver } from './yields/yield.resolver.js';

export interface CreditAssignmentParts {
  readonly config: Pick<Config, 'creditAssignment'>;
  readonly keyRing: KeyRing;
  readonly log: Logger;
  /** Database for the look-ups of clients. Nothing connects before the first. */
  readonly databaseUrl: string;
}

export interface CreditAssignment extends Subgraph {
  readonly signingOriginators: SigningOriginators;
  /** Opens the engine that processes batches, in processes with background work. */
  openEngine(context: Context): ProcessingEngine;
  close(): Promise<void>;
}

/** Wires the credit-assignment module. Nothing is processed before an engine is opened and started. */
export function createCreditAssignment(parts: CreditAssignmentParts): CreditAssignment {
  const { processingGraceMs } = parts.config.creditAssignment;
  const signingOriginators = openSigningOriginators(parts);
  const batchCursors = createCursorCodec(parts.keyRing, 'credit-batches');
  const settlementBatchCursors = createCursorCodec(parts.keyRing, 'settlement-batches');
  const settlementCursors = createCursorCodec(parts.keyRing, 'settlements');
  const receivableCursors = createCursorCodec(parts.keyRing, 'receivables');
  const { schema, sdl } = buildSubgraph({
    name: 'credit-assignment',
    resolvers: [
      new OriginatorResolver(signingOriginators.forget),
      new OwnKeyResolver(signingOriginators.forget),
      new PermitResolver(),
      ...workQueueResolvers({
        domain: 'CreditAssignment',
        words: 'credit assignment',
        role: 'originate',
        queues: [watchedBatches(creditBatches), watchedBatches(settlementBatches)],
      }),
      new CreditBatchMutationsResolver(processingGraceMs),
      new RemakeCreditBatchResolver(),
      new CreditBatchReturnResolver(),
      new CreditBatchListResolver(batchCursors),
      new CreditBatchResolver(),
      new CreditBatchReceivablesResolver(receivableCursors),
      batchUpdateResolver(creditBatchGraph, parts.keyRing),
      new CreditBatchCheckResolver(),
      new CriteriaResolver(),
      new LimitUsageResolver(),
      new ActivityResolver(createCursorCodec(parts.keyRing, 'originator-activity')),
      new ReceivableResolver(receivableCursors),
      new LateChargesResolver(),
      new ReceivableStatementResolver(),
      new Cnab444OperatorResolver(),
      new FileCheckResolver(),
      new SendFileResolver(),
      new PatrimonyCreditBatchesResolver(),
      new CreditBatchPatrimonyResolver(),
      new AssetCreditBatchResolver(),
      new ReceivableAssetResolver(),
      new SettlementBatchMutationsResolver(processingGraceMs),
      new SettlementBatchListResolver(settlementBatchCursors),
      new SettlementBatchResolver(),
      new SettlementBatchPaymentsResolver(settlementCursors),
      batchUpdateResolver(settlementBatchGraph, parts.keyRing),
      new SettlementBatchCreditBatchResolver(),
      new CreditBatchSettlementBatchesResolver(),
      new ReceivableSettlementsResolver(),
      new ReceivableRenegotiationsResolver(),
      new SettlementBatchOfSettlementResolver(),
      new ReceivableYieldResolver(),
      new CreditBatchYieldResolver(),
      new PatrimonyYieldResolver(),
    ],
    references,
  });
  return {
    name: 'credit-assignment',
    schema,
    sdl,
    jobs: [],
    metrics: failingBatches,
    consumers: [
      keepEstates,
      concludeBatches(creditBatches),
      concludeBatches(settlementBatches),
      takeOperatorPayments,
      onAccountsDeleted(unlinkOriginators),
    ],
    migrations: { schema: 'credit_assignment', migrations: readMigrations(new URL('./migrations/', import.meta.url)) },
    signingOriginators,
    openEngine: (context) => createProcessingEngine(context, batchKinds),
    close: () => signingOriginators.close(),
  };
}
