import type { DocumentNode } from 'graphql';

export interface Plan {
  /** The fetch that starts a subscription, once; `node` runs for each of its events. */
  readonly subscription?: FetchNode | undefined;
  /** Undefined where nothing is fetched: all fields are introspection, or skipped. */
  readonly node?: PlanNode | undefined;
}

export type PlanNode = SequenceNode | ParallelNode | ConditionNode | FetchNode;

export interface SequenceNode {
  readonly kind: 'Sequence';
  readonly nodes: readonly PlanNode[];
}

export interface ParallelNode {
  readonly kind: 'Parallel';
  readonly nodes: readonly PlanNode[];
}

export interface ConditionNode {
  readonly kind: 'Condition';
  readonly condition: string;
  readonly ifTrue?: PlanNode | undefined;
  readonly ifFalse?: PlanNode | undefined;
}

export interface FetchNode {
  readonly kind: 'Fetch';
  readonly subgraph: string;
  /** Always the same object, since compiled forms are looked up by it. */
  readonly document: DocumentNode;
  readonly variables: readonly string[];
  /** Entities whose fields are fetched; empty for a fetch of root fields. */
  readonly entities: readonly EntityRequest[];
  /** Where the data of root fields belong; the empty path is the root of the response. */
  readonly path: PlanPath;
  readonly rewrites: readonly DataRewrite[];
}

export interface EntityRequest {
  /** Response name of the `_entities` field. */
  readonly name: string;
  readonly variable: string;
  readonly paths: readonly PlanPath[];
  readonly requires: readonly Requirement[];
  readonly inputRewrites: readonly DataRewrite[];
  readonly outputRewrites: readonly DataRewrite[];
}

/** Path from the root of the response: response names, `@` for each item of a list, and types that objects must have. */
export type PlanPath = readonly PathStep[];
export type PathStep = string | { readonly types: readonly string[] };

/** A field that a representation needs, or a part of it for some types only. */
export type Requirement =
  | {
      readonly name: string;
      readonly as: string;
      readonly selections: readonly Requirement[] | undefined;
    }
  | { readonly type: string | undefined; readonly selections: readonly Requirement[] };

/** A change to data, in place: a field gets another name, or a fixed value. */
export type DataRewrite = { readonly path: PlanPath } & (
  { readonly kind: 'rename'; readonly name: string } | { readonly kind: 'set'; readonly value: unknown }
);
