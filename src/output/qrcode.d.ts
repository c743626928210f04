/** The QR encoder without the renderers, which would load a PNG library. */
declare module 'qrcode/lib/core/qrcode.js' {
  export { create } from 'qrcode';
}
