// The settings of Amazon SES.
import { option } from './setting'
import { httpAddress, ok, type Parsed, text, wrong } from './values'

const region = (text: string): Parsed<string> =>
  /^[a-z]{2,4}(-[a-z]+)+-\d{1,2}$/.test(text) ? ok(text) : wrong()
const setName = (text: string): Parsed<string> => (/^[\w-]{1,64}$/.test(text) ? ok(text) : wrong())
const name = '1 to 64 letters, digits, - and _'

export const sesOptions = {
  AWS_SES_REGION: option(
    'AWS_SES_REGION',
    '',
    'a region such as eu-central-1',
    region,
    'Region of Amazon SES',
  ),
  AWS_SES_ACCESS_KEY_ID: option(
    'AWS_SES_ACCESS_KEY_ID',
    "as AWS' own tools find it",
    'a text',
    text,
    'Access key of SES',
  ),
  AWS_SES_SECRET_ACCESS_KEY: option(
    'AWS_SES_SECRET_ACCESS_KEY',
    "as AWS' own tools find it",
    'a text',
    text,
    'Secret of that access key',
    true,
  ),
  AWS_SES_ENDPOINT: option(
    'AWS_SES_ENDPOINT',
    "Amazon's",
    'an http:// or https:// address',
    httpAddress,
    'Another server that speaks the API of SES v2',
  ),
  SES_CONFIGURATION_SET: option(
    'SES_CONFIGURATION_SET',
    '',
    name,
    setName,
    'Configuration set of SES that reports deliveries, bounces and complaints',
  ),
  SES_CONFIGURATION_SET_NO_TRACKING: option(
    'SES_CONFIGURATION_SET_NO_TRACKING',
    '',
    name,
    setName,
    "One without SES' own tracking of opens and clicks; preferred, because ours needs no other beside it",
  ),
} as const
