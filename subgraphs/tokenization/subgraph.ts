import { loadCalendar } from '../../shared/kernel/calendar/calendar.js';
import type { Config } from '../../shared/kernel/config.js';
import { createCursorCodec } from '../../shared/graphql/cursor.js';
import type { KeyRing } from '../../shared/security/crypto.js';
import type { Database } from '../../shared/database/database.js';
import { readMigrations } from '../../shared/database/migrate.js';
import { once } from '../../shared/memo.js';
import type { Logger } from '../../shared/kernel/log.js';
import { createEventFeed } from '../../shared/events/outbox/event-feed.js';
import { buildSubgraph } from '../../shared/graphql/build.js';
import type { Subgraph } from '../../shared/graphql/subgraph.js';
import { workQueueResolvers } from '../../shared/work/queue/work-queue.resolver.js';
import {
  AssetMutationsResolver,
  AssetConnectionResolver,
  AssetResolver,
  PatrimonyAssetsResolver,
  assetReference,
} from './assets/asset.resolver.js';
import { createAssetReader } from './assets/read-assets.js';
import { assetReviewJob } from './assets/review-assets.js';
import { answerWantedCredits } from './assignments/book-credits.js';
import { applySettlements } from './assignments/apply-settlements.js';
import { tellMoves } from './assignments/tell-moves.js';
import { registerAssets } from './assignments/register-assets.js';
import {
  patrimonyReference,
  PatrimonyListResolver,
  PatrimonyResolver,
  operationReference,
  OperationPatrimonyResolver,
  PatrimonyOperationResolver,
} from './patrimonies/patrimony.resolver.js';
import { TrancheEventResolver, TrancheEventsResolver } from './events/event.resolver.js';
import { CdiReturnResolver, SeriesReturn, seriesReturnReference } from './indices/cdi-return.resolver.js';
import { createMarket } from './indices/held-market.js';
import { IndexValueResolver } from './indices/index-value.resolver.js';
import { createProvenanceLoader } from './price-history/load-provenance.js';
import {
  PriceHistoryResolver,
  PriceRulesResolver,
  ProvenanceResolver,
} from './price-history/price-history.resolver.js';
import { waitingSeries, unitPriceJob } from './price-runs/unit-price.job.js';
import { priceImported, createRepricer } from './price-runs/reprice.js';
import { watchedRequests } from './price-runs/price-run.store.js';
import { RepriceResolver, unitPriceUpdateResolver } from './price-runs/price-run.resolver.js';
import { unitPriceTopic } from './price-runs/unit-price-update.js';
import { createLateCharges } from './schedule/late-charges.js';
import { createDifferences } from './schedule/price-differences.js';
import { overdueJob } from './schedule/mark-overdue.js';
import { TrancheFiguresResolver, UnitPriceOverdueResolver } from './schedule/tranche-figures.resolver.js';
import { createProjections } from './schedule/projections.js';
import {
  ScheduleMutationsResolver,
  ScheduleEntryResolver,
  ScheduleResolver,
  UpcomingPaymentResolver,
} from './schedule/schedule.resolver.js';
import { AssetGroupResolver, AssetSummaryResolver } from './summary/asset-summary.resolver.js';
import { announceProjections, answerWantedBooks } from './series/book.js';
import { seriesReference, SeriesTranchesResolver, TrancheSeriesResolver } from './series/series.resolver.js';
import {
  TrancheMutationsResolver,
  TrancheTermsResolver,
  PatrimonyTranchesResolver,
  TrancheListResolver,
  TrancheResolver,
  trancheReference,
} from './tranches/tranche.resolver.js';
import {
  CollectionListResolver,
  CollectionResolver,
  TrancheCollectionResolver,
  DeveloperContractResolver,
} from './chain/collection.resolver.js';
import { contractDifferences } from './chain/check-collections.js';
import type { Job } from '../../shared/work/scheduler.js';
import { openNode } from './chain/node.js';
import { scanChain, type ChainSettings } from './chain/scan-chain.js';

export interface TokenizationParts {
  readonly config: Pick<Config, 'chain'>;
  readonly keyRing: KeyRing;
  readonly dataSource: Pick<Database, 'manager'>;
  /** The program's log, for work that outlives the request that asked for it. */
  readonly log: Logger;
}

export interface Tokenization extends Subgraph {
  /** Stops processing price requests of operators after the current page; the next run of the job continues. */
  close(): Promise<void>;
}

/** Wires the tokenization domain. Reads nothing from the database before it is needed. */
export function createTokenization({ config, keyRing, dataSource, log }: TokenizationParts): Promise<Tokenization> {
  const calendar = once(() => loadCalendar(dataSource.manager));
  const patrimonyCursors = createCursorCodec(keyRing, 'patrimonies');
  const trancheCursors = createCursorCodec(keyRing, 'tranches');
  const assetCursors = createCursorCodec(keyRing, 'assets');
  const repricer = createRepricer({ dataSource, log }, calendar);
  const projections = createProjections(calendar);
  const readAssets = createAssetReader();
  const chain = createChain(config.chain, keyRing);
  const { schema, sdl } = buildSubgraph({
    name: 'tokenization',
    resolvers: [
      new PatrimonyListResolver(patrimonyCursors),
      new PatrimonyResolver(),
      new PatrimonyOperationResolver(),
      new OperationPatrimonyResolver(),
      new TrancheListResolver(trancheCursors),
      new TrancheResolver(calendar),
      new TrancheTermsResolver(),
      new PatrimonyTranchesResolver(),
      new SeriesTranchesResolver(),
      new CdiReturnResolver(createMarket(calendar, 'MISSING')),
      new TrancheSeriesResolver(),
      new ScheduleResolver(createCursorCodec(keyRing, 'schedules'), projections),
      new ScheduleEntryResolver(projections, calendar, createLateCharges(calendar), createDifferences(calendar)),
      new TrancheFiguresResolver(calendar, projections),
      new UnitPriceOverdueResolver(calendar),
      new UpcomingPaymentResolver(createCursorCodec(keyRing, 'upcoming-payments'), projections, calendar),
      new TrancheEventResolver(repricer, calendar),
      new TrancheEventsResolver(),
      new PriceHistoryResolver(createCursorCodec(keyRing, 'price-history')),
      new ProvenanceResolver(createProvenanceLoader(calendar)),
      new PriceRulesResolver(),
      new IndexValueResolver(createCursorCodec(keyRing, 'index-values')),
      new AssetResolver(readAssets, assetCursors),
      new AssetConnectionResolver(),
      new PatrimonyAssetsResolver(assetCursors),
      new AssetSummaryResolver(),
      new AssetGroupResolver(),
      ...chain.resolvers,
      new TrancheMutationsResolver(),
      new ScheduleMutationsResolver(),
      new AssetMutationsResolver(),
      ...workQueueResolvers({
        domain: 'Tokenization',
        words: 'tokenization',
        role: 'publish',
        queues: [watchedRequests],
      }),
      new RepriceResolver(repricer),
      unitPriceUpdateResolver(createEventFeed({ keyRing, topics: [unitPriceTopic] })),
    ],
    orphanedTypes: [SeriesReturn],
    references: {
      Patrimony: patrimonyReference,
      Tranche: trancheReference,
      Asset: assetReference,
      Operation: operationReference,
      Series: seriesReference,
      SeriesReturn: seriesReturnReference,
    },
  });
  return Promise.resolve({
    name: 'tokenization',
    schema,
    sdl,
    jobs: [unitPriceJob(calendar), overdueJob(calendar), assetReviewJob, ...chain.jobs],
    metrics: [waitingSeries, ...chain.metrics],
    consumers: [
      applySettlements,
      registerAssets,
      tellMoves,
      answerWantedBooks,
      announceProjections(projections),
      answerWantedCredits,
      priceImported(repricer),
    ],
    migrations: { schema: 'tokenization', migrations: readMigrations(new URL('./migrations/', import.meta.url)) },
    close: () => repricer.close(),
  });
}

/** Wires token contracts into the domain. Without the URL of a node nothing new is read, and stored data is still served. */
function createChain(chain: Config['chain'], keyRing: KeyRing) {
  const contractCursors = createCursorCodec(keyRing, 'contracts');
  return {
    resolvers: [
      new TrancheCollectionResolver(),
      new CollectionResolver(chain),
      new CollectionListResolver(contractCursors),
      new DeveloperContractResolver(contractCursors, chain),
    ],
    jobs: chain?.rpcUrl === undefined ? [] : [chainJob(chain.rpcUrl, chain)],
    metrics: [contractDifferences],
  };
}

/** Reads the chain every 15 seconds, and when an instance starts. The first run loads the library that calls the node. */
function chainJob(rpcUrl: string, settings: ChainSettings): Job {
  const node = once(() => openNode(rpcUrl));
  return {
    name: 'tokenization.chain',
    cron: '*/15 * * * * *',
    atStart: true,
    run: async (context, stopping) => {
      await scanChain(context, await node(), settings, stopping);
    },
  };
}
