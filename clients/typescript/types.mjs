// Writes the types of rest/openapi.json to src/generated/api.ts, unless they are newer than the document. The build runs it, and `npm run check`.
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';

const document = new URL('../../rest/openapi.json', import.meta.url);
const target = new URL('src/generated/api.ts', import.meta.url);
const timeOf = (file) =>
  stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
const sources = await Promise.all([document, new URL(import.meta.url)].map(timeOf));

if ((await timeOf(target)) <= Math.max(...sources)) {
  const { default: openapiTS, astToString } = await import('openapi-typescript');
  const { default: ts } = await import('typescript');
  const api = JSON.parse(await readFile(document, 'utf8'));
  // Operations that only a browser session may call are left out of the client.
  for (const methods of Object.values(api.paths))
    for (const [method, { security }] of Object.entries(methods))
      if (security.some((schemes) => 'browserSession' in schemes)) delete methods[method];
  const text = ts.factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword);
  const nodes = await openapiTS(api, {
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    // Decimals that bodies hold as JSON numbers are text for the caller, who must not compute with binary fractions.
    transform: (schema) => ('x-decimals' in schema ? text : undefined),
  });
  await mkdir(new URL('.', target), { recursive: true });
  const work = new URL(`api.${process.pid}.tmp`, target);
  await writeFile(work, astToString(nodes));
  await rename(work, target);
}
