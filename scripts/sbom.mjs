// `npm run sbom`: the components that the program is installed with, as CycloneDX on standard output. npm makes the list from the lockfile; what is for
// development alone is left out here, since `npm sbom --omit=dev` also leaves out packages that the program and development share.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const options = ['--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'];
const bill = JSON.parse(
  execFileSync('npm', ['sbom', ...options], { cwd: root, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 }),
);

const isDevelopment = ({ properties = [] }) =>
  properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true');
const components = bill.components.filter((component) => !isDevelopment(component));
const { name } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
const { component } = bill.metadata;
const kept = new Set([component['bom-ref'], ...components.map((one) => one['bom-ref'])]);
const dependencies = bill.dependencies
  .filter(({ ref }) => kept.has(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => kept.has(other)) }));

// npm names the program by the folder that it is in.
const metadata = { ...bill.metadata, component: { ...component, name } };
process.stdout.write(`${JSON.stringify({ ...bill, metadata, components, dependencies }, null, 2)}\n`);
