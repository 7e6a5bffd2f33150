import { readOpenApi } from '../clients/openapi.js';
import { flavours, methodsModule } from './methods.js';
import { operationsModule } from './operations.js';
import { eventsModule, typesModule } from './types.js';

const folder = 'clients/python/src/lastro/_generated';

/** Returns the generated modules of the Python client, made from the text of `rest/openapi.json`, by their paths. */
export function pythonClientFiles(openApiText: string): { path: string; text: string }[] {
  const document = readOpenApi(openApiText);
  return [
    { path: `${folder}/types.py`, text: typesModule(document) },
    { path: `${folder}/events.py`, text: eventsModule(document) },
    { path: `${folder}/operations.py`, text: operationsModule(document) },
    ...flavours.map((flavour) => ({
      path: `${folder}/${flavour.module}.py`,
      text: methodsModule(document, flavour),
    })),
  ];
}
