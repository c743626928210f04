import type { Control } from '../control/routes.ts';
import type { App } from '../http/app.ts';
import type { Services } from '../services.ts';
import { addAssets } from './assets.ts';
import { addDashboard } from './dashboard/route.ts';
import { addKycPages } from './kyc-session.ts';
import { addLive } from './live.ts';
import { ownOriginOnly } from './own-origin.ts';
import { addPaymentPages } from './payment/route.ts';

/** Everything that a browser sees. */
export const addPages = (app: App, services: Services, { key, ended }: Control): void => {
  app.use('/kyc/sessions/*', ownOriginOnly);
  app.use('/pay/*', ownOriginOnly);
  addAssets(app);
  addLive(app, services, ended);
  addKycPages(app, services);
  addPaymentPages(app, services);
  addDashboard(app, services, key);
};
