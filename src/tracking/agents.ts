// Programs that identify themselves. Mail gateways and link previews open what no person has opened; the image proxies of Gmail and Yahoo
// fetch when a person opens, and count as that person. Pure.

/** Mail gateways and security services. */
const scanners =
  'barracuda|proofpoint|mimecast|symantec|messagelabs|fireeye|trendmicro|trend micro|sophos|ironport|forcepoint|' +
  'zscaler|fortinet|fortiguard|safelinks|urlscan|virustotal|paloalto|checkpoint|kaspersky|bitdefender|mailcontrol|cloudmark|' +
  'hornetsecurity|vade ?secure|spamtitan|mailguard|libra ?esva|clamav|rspamd'

/** Those that show a preview of a link in a chat, and search engines. */
const previews =
  'facebookexternalhit|facebot|twitterbot|slackbot|slack-imgproxy|linkedinbot|whatsapp|telegrambot|discordbot|skypeuripreview|' +
  'microsoftpreview|bingpreview|googlebot|google-safety|applebot|yandexbot|baiduspider|duckduckbot|embedly|' +
  'redditbot|mastodon|iframely|vkshare'

/** Tools and libraries that nobody uses to read mail. */
const tools =
  'headlesschrome|phantomjs|puppeteer|playwright|selenium|curl|wget|python-requests|python-urllib|aiohttp|httpx|go-http-client|' +
  'java\\/|apache-httpclient|libwww-perl|guzzlehttp|scrapy|axios|node-fetch|undici|postmanruntime|powershell'

const known = new RegExp(`${scanners}|${previews}|${tools}`, 'i')
/** Words by which other programs identify themselves. */
const callings = /\b(?:crawler|spider|scanner|scanning|linkcheck\w*|urlcheck\w*|monitoring|preview)\b/i
/** Cubot is a brand of phones, not a bot. */
const bots = /(?:^|[^u]|(?:^|[^c])u)bot\b/i

/** Whether a `User-Agent` names a program that no person reads mail with. A missing one proves nothing. */
export function isKnownMachine(userAgent: string): boolean {
  return [known, callings, bots].some(pattern => pattern.test(userAgent))
}

/**
 * Apple fetches the images of every message that it protects, read or not, and sends nothing but this User-Agent. On a link it would be
 * an odd browser, and on an image it says nothing about a person.
 */
export function isPrefetch(userAgent: string): boolean {
  return userAgent === 'Mozilla/5.0'
}
