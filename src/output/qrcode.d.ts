/** The maker of QR codes without its pictures: those bring a library for PNG files. */
declare module 'qrcode/lib/core/qrcode.js' {
  export { create } from 'qrcode';
}
