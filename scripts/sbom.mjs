// `npm run sbom`: the packages that the program is installed with, as CycloneDX on standard output. npm lists all of the lockfile; packages only for
// development are left out here. `npm sbom --omit=dev` would also leave out packages that the program shares with development.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const developmentMark = 'cdx:npm:package:development';
/** Licences that a package states only in a file. */
const unstated = { 'png-js': [{ license: { id: 'MIT' } }] };

const { name, packages } = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8'));
const installed = Object.entries(packages).filter(([path, { dev }]) => path.includes('node_modules/') && !dev);
/** Name and version; a package may be installed under another name, which the lockfile says. */
const wanted = new Set(
  installed.map(([path, one]) => `${one.name ?? path.split('node_modules/').at(-1)}@${one.version}`),
);

const options = ['--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'];
const bill = JSON.parse(
  execFileSync('npm', ['sbom', ...options], { cwd: root, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 }),
);
const components = bill.components.filter((one) => wanted.has(one['bom-ref'])).map(corrected);
const { component } = bill.metadata;
const kept = new Set([component, ...components].map((one) => one['bom-ref']));
const dependencies = bill.dependencies
  .filter(({ ref }) => kept.has(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => kept.has(other)) }));

// npm names the program by the folder that it is in.
const metadata = { ...bill.metadata, component: { ...component, name } };
process.stdout.write(`${JSON.stringify({ ...bill, metadata, components, dependencies }, null, 2)}\n`);

/** npm lists a package once that is installed several times, by the name and purpose of the first one, which may be a copy for development. */
function corrected(one) {
  const properties = one.properties.filter((property) => property.name !== developmentMark);
  const own = one['bom-ref'].slice(0, one['bom-ref'].lastIndexOf('@'));
  const licenses = one.licenses ?? unstated[own];
  return {
    ...one,
    ...(licenses && { licenses }),
    name: own,
    scope: properties.length === one.properties.length ? one.scope : 'required',
    properties,
  };
}
