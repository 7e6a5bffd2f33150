import { ErrorCode, type ListResourcesResult, type ReadResourceResult } from '@modelcontextprotocol/sdk/types.js';
import { errorKinds } from '../shared/registry.js';
import { cut } from '../shared/kernel/echo.js';
import { isRecord } from '../shared/kernel/is-record.js';
import type { RunTool } from './completions.js';
import { toMarkdown } from './markdown.js';
import { ProtocolError } from './protocol-error.js';
import { argumentsOfUri, resourceType, uriOf, type ResourceTemplate } from './resources.js';
import type { Refusal } from './tool-error.js';

/** Error code of the protocol for a resource that does not exist. */
const resourceNotFound = -32_002;

export interface Resource {
  readonly tool: string;
  readonly template: ResourceTemplate;
  readonly whenNotFound: string;
}

/** Lists the resources that exist, page by page. @throws {ProtocolError} for a cursor that is not one of this list */
export async function listResources(
  run: RunTool,
  resources: readonly Resource[],
  cursor = '',
): Promise<ListResourcesResult> {
  const [listed] = resources.flatMap(({ template }) =>
    template.list === undefined ? [] : [{ template, list: template.list }],
  );
  if (listed === undefined) return { resources: [] };
  const { template, list } = listed;
  const outcome = await run(list.tool, cursor === '' ? {} : { cursor });
  if (outcome === undefined) throw new Error(`The resource ${template.name} is listed by a tool that does not exist`);
  if ('refusal' in outcome) throw protocolError(outcome.refusal);
  const items: unknown = outcome.value[list.items];
  const next: unknown = outcome.value['nextCursor'];
  const key = /\{(\w+)\}/.exec(template.uriTemplate)?.[1] ?? '';
  const found = (Array.isArray(items) ? items.filter(isRecord) : []).map((item) => {
    const value = String(item[key]);
    return {
      uri: uriOf(template.uriTemplate, value),
      name: value,
      title: String(item[list.label]),
      mimeType: resourceType,
    };
  });
  return { resources: found, ...(typeof next === 'string' ? { nextCursor: next } : {}) };
}

/** Reads a resource. @throws {ProtocolError} when it does not exist, and for every error of its tool */
export async function readResource(
  run: RunTool,
  resources: readonly Resource[],
  uri: string,
): Promise<ReadResourceResult> {
  for (const { tool, template, whenNotFound } of resources) {
    const given = argumentsOfUri(template.uriTemplate, uri);
    if (given === undefined) continue;
    const outcome = await run(tool, given);
    if (outcome === undefined) break;
    if ('refusal' in outcome) throw protocolError(outcome.refusal, whenNotFound);
    return { contents: [{ uri, mimeType: resourceType, text: toMarkdown(template.title, outcome.value) }] };
  }
  const known = resources.map(({ template }) => template.uriTemplate).join(', ');
  throw new ProtocolError(
    resourceNotFound,
    `There is no resource ${cut(uri)}: addresses are ${known}; resources/list has those of the operations`,
  );
}

function protocolError({ statusCode, message, details = [] }: Refusal, whenNotFound = ''): ProtocolError {
  const text = [message, ...details.map((detail) => `${detail.path} ${detail.message}`)].join('; ');
  if (statusCode === errorKinds.NOT_FOUND.status)
    return new ProtocolError(resourceNotFound, `${text}. ${whenNotFound}`.trim());
  const code = statusCode < errorKinds.INTERNAL.status ? ErrorCode.InvalidParams : ErrorCode.InternalError;
  return new ProtocolError(code, text);
}
