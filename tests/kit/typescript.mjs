// `node --import` of this lets Node import the house's TypeScript.
import { register } from 'node:module';

register('./typescript-loader.mjs', import.meta.url);
