import { gallery } from './gallery.js';
import { operationFiles } from './files/operation-files.js';
import { tokenFiles } from './files/token-files.js';
import { trancheFiles } from './files/tranche-files.js';
import { home } from './home/page.js';
import { inventoryPage } from './inventory.js';
import { operationPage } from './operation/page.js';
import { operationList } from './operation-list.js';
import type { Page } from './page.js';
import { permalinks } from './permalinks.js';
import { seriesFiles } from './series/files.js';
import { seriesPage } from './series/page.js';
import { seriesPriceDay } from './series/price-day.js';
import { siteFiles } from './site-files.js';
import { sitePictures } from './site-pictures.js';
import { assetList, assetPage } from './tokens/assets.js';
import { estatePage } from './tokens/estate.js';
import { tokensOverview } from './tokens/overview.js';
import { priceDayPage } from './tokens/price-day.js';
import { tranchePage } from './tokens/tranche.js';

/** Every public page and file. */
export const pages: readonly Page[] = [
  home,
  operationList,
  operationPage,
  inventoryPage,
  ...operationFiles,
  seriesPage,
  seriesPriceDay,
  ...seriesFiles,
  tokensOverview,
  estatePage,
  tranchePage,
  priceDayPage,
  assetList,
  assetPage,
  ...tokenFiles,
  ...trancheFiles,
  ...siteFiles,
  ...sitePictures,
  ...permalinks,
  gallery,
];
