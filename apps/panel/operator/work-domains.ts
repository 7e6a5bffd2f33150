import { graph, type Operations } from './graph/operations.js';

type Data = Operations['backgroundWork']['data'];
export type Queue = Data['platformWorkQueues'][number];
export type Item = Queue['items'][number];
export type Job = Data['scheduledJobs'][number];

/** The acts of operators on the queues of a domain; those that its queues do not permit are left out. */
export interface Domain {
  readonly role: string;
  readonly queuesIn: (data: Data) => readonly Queue[];
  readonly retry?: (queue: string, id: string | null) => Promise<number>;
  readonly hold?: (queue: string, id: string, reason: string) => Promise<unknown>;
  readonly release?: (queue: string, id: string) => Promise<unknown>;
}

export const domains: readonly Domain[] = [
  {
    role: 'administer',
    queuesIn: ({ platformWorkQueues }) => platformWorkQueues,
    retry: async (queue, id) => (await graph.mutate('retryPlatformWork', { queue, id })).retryPlatformWork ?? 0,
    hold: (queue, id, reason) => graph.mutate('quarantinePlatformWork', { queue, id, reason }),
    release: (queue, id) => graph.mutate('releasePlatformWork', { queue, id }),
  },
  {
    role: 'originate',
    queuesIn: ({ creditAssignmentWorkQueues }) => creditAssignmentWorkQueues,
    hold: (queue, id, reason) => graph.mutate('quarantineCreditAssignmentWork', { queue, id, reason }),
    release: (queue, id) => graph.mutate('releaseCreditAssignmentWork', { queue, id }),
  },
  {
    role: 'publish',
    queuesIn: ({ tokenizationWorkQueues }) => tokenizationWorkQueues,
    retry: async (queue, id) => (await graph.mutate('retryTokenizationWork', { queue, id })).retryTokenizationWork ?? 0,
    hold: (queue, id, reason) => graph.mutate('quarantineTokenizationWork', { queue, id, reason }),
    release: (queue, id) => graph.mutate('releaseTokenizationWork', { queue, id }),
  },
  {
    role: 'trade',
    queuesIn: ({ tradingWorkQueues }) => tradingWorkQueues,
    retry: async (queue, id) => (await graph.mutate('retryTradingWork', { queue, id })).retryTradingWork ?? 0,
  },
  { role: 'administer', queuesIn: ({ webhookWorkQueues }) => webhookWorkQueues },
];

export interface QueueRow {
  readonly domain: Domain;
  readonly queue: Queue;
}

export function queueRows(data: Data): readonly QueueRow[] {
  return domains.flatMap((domain) => domain.queuesIn(data).map((queue) => ({ domain, queue })));
}

export interface Asked {
  readonly title: string;
  readonly act: string;
  readonly text: string;
  readonly needsReason?: boolean;
  readonly run: (reason: string) => Promise<string>;
}

export interface ActParts {
  readonly may: (role: string) => boolean;
  readonly ask: (asked: Asked) => void;
}
