import optimizeLocales from '@react-aria/optimize-locales-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { preloadFonts } from './build/preload-fonts.ts';

/** Keeps the host name of the browser, because the service only accepts sign-ins from its own pages. */
const service = { target: process.env['TRIBUTARY_URL'] ?? 'http://127.0.0.1:8080', changeOrigin: false };

export default defineConfig({
  base: '/dashboard/',
  plugins: [
    react(),
    // Must run first. Otherwise the texts of every language are included.
    { ...optimizeLocales.vite({ locales: ['en-US'] }), enforce: 'pre' },
    preloadFonts(),
  ],
  // The server inserts a fresh nonce in each response.
  html: { cspNonce: 'TRIBUTARY_NONCE' },
  // For development with `npm run dev` next to a stack.
  server: { proxy: { '/v1': service, '/dashboard/api': service } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
