import { ENVIRONMENT, itemOf } from '../environment.ts';
import { commands, items, type Page, section, text } from '../page.ts';

const those = (...by: readonly string[]) => items(ENVIRONMENT.filter((one) => by.includes(one.by)).map(itemOf));

/** `help environment`. */
export const environment: Page = {
  name: 'environment',
  summary: 'Every variable that bursar reads.',
  about: ['A switch is off when it is empty, 0 or false.'],
  sections: [
    ...section('The service and its key', those('service')),
    ...section('Keys that sign', those('key', 'password')),
    ...section('Everything else', those('all')),
    ...section(
      'What outranks what',
      ...text(
        'An option outranks a variable, a variable the project file bursar.json, that the profile, and the profile a default.',
        'A source that names a service overrides all service settings of lower sources: --profile overrides BURSAR_BASE_URL and its key.',
        'No option takes a key or a password as its value: other users could read it. whoami shows what applies and what decided it.',
      ),
    ),
    ...section(
      'Examples',
      commands([
        'BURSAR_PROFILE=sandbox bursar quote BTC USDT',
        'BURSAR_BASE_URL=https://api.example.com BURSAR_API_KEY_FILE=./key bursar products --json',
        'bursar whoami --offline',
      ]),
    ),
  ],
};
