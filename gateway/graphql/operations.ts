import { createHash } from 'node:crypto';
import { OperationTypeNode, type DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import { rootNames } from '../../shared/graphql/root-names.js';
import { countLookup } from '../../shared/memo.js';
import { parseDocument } from '../graph/document-errors.js';
import type { Graph } from '../graph/graph.js';
import { costOf } from '../graph/limits/cost.js';
import { demandWithin, type DocumentLimits } from '../graph/limits/document-limits.js';
import type { Admitted, Spend } from '../graph/limits/cost-budget.js';

/** Operations that callers send: each document is parsed, measured, validated and planned once, for as long as it is remembered. */
export interface Operations {
  /** Documents by the SHA-256 of their text, which is the last part of Apollo Server's keys. */
  readonly documents: {
    get(hash: string): Promise<DocumentNode | undefined>;
    set(hash: string, document: DocumentNode): Promise<void>;
    delete(hash: string): Promise<boolean>;
  };
  /** Parses a document. @throws {ApiError} BAD_REQUEST when the text is no document. */
  read(text: string): DocumentNode;
  /** Returns an operation that `admit` admitted before, while it is remembered. */
  recall(text: string, operationName: string | null | undefined): Admitted | undefined;
  /** Admits an operation once; new documents cost, before validation, since planning takes more than most runs. @throws {ApiError} BAD_REQUEST with what is wrong */
  admit(document: DocumentNode, operationName: string | null | undefined, spend: Spend): Promise<Admitted>;
}

/** Minimum cost of a new document, which costs a point for each selection. One that cannot be read costs this minimum, over every transport. */
export const leastNewPoints = 50;
const maxBytes = 64 * 1_048_576;

/** Maximum memory of a document with its compiled functions: 540 bytes a character over several subgraphs, a fifth of that on one. */
function bytesOf(document: DocumentNode): number {
  return 45_000 + 540 * (document.loc?.source.body.length ?? 0);
}

/** @param guardedNames root fields that are limited by source address */
export function createOperations(
  graph: Graph,
  limits: DocumentLimits,
  guardedNames: ReadonlySet<string> = new Set(),
): Operations {
  const documents = new LRUCache<string, DocumentNode>({ maxSize: maxBytes, sizeCalculation: bytesOf });
  // Everything that was made for a document is forgotten with it.
  const admitted = new WeakMap<DocumentNode, Map<string, Admitted>>();
  // Admissions under way, by their place in `admitted`: of many callers who send a new document at once, one pays for it.
  const admissions = new WeakMap<Map<string, Admitted>, Promise<Admitted>>();
  const make = async (document: DocumentNode, name: string, spend: Spend): Promise<Admitted> => {
    const selections = await measured(document, limits, graph, spend);
    await spend(Math.max(leastNewPoints, selections));
    const prepared = graph.prepare(document, {
      ofCaller: true,
      ...(name === '' ? {} : { operationName: name }),
    });
    const cost = costOf(graph.apiSchema, prepared);
    const fields = rootNames(prepared.document);
    const guarded = fields.filter((name) => guardedNames.has(name)).length;
    const isMutation = prepared.operation.operation === OperationTypeNode.MUTATION;
    const mutations = isMutation ? fields.filter((name) => !name.startsWith('__')).length - guarded : 0;
    return { prepared, cost, maxCost: limits.maxCost, guarded, mutations };
  };
  const plain = (key: string) => key.slice(-64);

  return {
    documents: {
      get: (key) => {
        const known = documents.get(plain(key));
        countLookup('documents', known !== undefined);
        return Promise.resolve(known);
      },
      set: (key, document) => {
        documents.set(plain(key), document);
        return Promise.resolve();
      },
      delete: (key) => Promise.resolve(documents.delete(plain(key))),
    },
    read: (text) => {
      const hash = hashOf(text);
      const known = documents.get(hash);
      if (known !== undefined) return known;
      const document = parseDocument(text, { maxLexicalTokens: limits.maxTokens });
      documents.set(hash, document);
      return document;
    },
    recall: (text, operationName) => {
      const document = documents.get(hashOf(text));
      const known = document === undefined ? undefined : admitted.get(document)?.get(operationName ?? '');
      if (known !== undefined) countLookup('documents', true);
      return known;
    },
    admit: async (document, operationName, spend) => {
      const name = operationName ?? '';
      const ofDocument = admitted.get(document) ?? new Map<string, Admitted>();
      admitted.set(document, ofDocument);
      for (;;) {
        const known = ofDocument.get(name);
        if (known !== undefined) return known;
        const underWay = admissions.get(ofDocument);
        if (underWay === undefined) break;
        // Another caller is paying for it; if that fails, this one may pay.
        await underWay.catch(() => undefined);
      }
      const admission = make(document, name, spend).then((made) => {
        ofDocument.set(name, made);
        return made;
      });
      admissions.set(ofDocument, admission);
      try {
        return await admission;
      } finally {
        admissions.delete(ofDocument);
      }
    },
  };
}

/** Measures a document. A refused one costs the minimum: it was parsed and measured too, and is not remembered. @throws {ApiError} BAD_REQUEST */
async function measured(document: DocumentNode, limits: DocumentLimits, graph: Graph, spend: Spend): Promise<number> {
  try {
    return demandWithin(limits, graph.apiSchema, document);
  } catch (error) {
    await spend(leastNewPoints);
    throw error;
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
