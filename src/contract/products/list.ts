import { defineEndpoint } from '../define.ts';
import { undocumented } from '../fields.ts';

/** Shows the enabled payment products and methods. Document: GET /config/products. */
export const list = defineEndpoint({
  id: 'products.list',
  method: 'GET',
  path: '/config/products',
  summary: 'List enabled products and payment methods',
  effect: 'reads',
  success: {
    // not shown: the status and the shape of the answer. The status is an assumption; other statuses pass.
    products_listed: {
      http: 200,
      data: undocumented('Enabled products and methods'),
      example: { methods: { crypto: true, pix: true, credit_card: false } },
      isAssumed: true,
    },
  },
  errors: { unauthorized: 401 },
  example: {},
});
