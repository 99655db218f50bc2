// Opens pages in Chromium and prints a line per fault: errors of the console, requests that fail or go to
// another host, words that the search does not find. Called by check.py with one JSON argument.
import { createRequire } from 'node:module'
import { resolve } from 'node:path'

const { chromium } = createRequire(resolve('package.json'))('playwright-core')
const { root, pages, searches } = JSON.parse(process.argv[2])
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-sync'],
})
const page = await browser.newPage()
let address = ''
const fault = (text) => console.log(`/${address}: ${text}`)
page.on('console', (message) => { if (message.type() === 'error') fault(message.text()) })
page.on('pageerror', (error) => fault(error.message))
page.on('requestfailed', (request) => {
  if (request.failure()?.errorText !== 'net::ERR_ABORTED') fault(`request failed: ${request.url()}`)
})
page.on('request', (request) => {
  if (!request.url().startsWith(root) && !/^(data|blob):/.test(request.url())) fault(`request to ${request.url()}`)
})
for (address of pages) await page.goto(root + address, { waitUntil: 'networkidle' })

address = 'index.html'
for (const [words, expected] of Object.entries(searches)) {
  await page.goto(root, { waitUntil: 'networkidle' })
  await page.locator('.DocSearch-Button').first().click()
  await page.locator('.VPLocalSearchBox .search-input').waitFor()
  await page.keyboard.type(words)  // the box has the focus
  const found = page.locator('.VPLocalSearchBox .result')
  await found.first().waitFor({ timeout: 5000 }).catch(() => {})
  const text = (await found.allTextContents()).join('\n').toLowerCase()
  if (!text.includes(expected)) fault(`a search for "${words}" does not find "${expected}"`)
}
await browser.close()
