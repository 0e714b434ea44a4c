// What of a page cannot be read well.

/** Runs in the page: texts whose contrast with what is under them is below 4.5 to 1 (WCAG 2.1, 1.4.3). */
export function faint() {
  const parts = (colour) => {
    const numbers = colour.match(/[\d.]+(e-\d+)?/g).map(Number);
    return colour.startsWith("color(") ? [...numbers.slice(0, 3).map((one) => 255 * one), numbers[3] ?? 1] : [...numbers, 1].slice(0, 4);
  };
  const over = (top, bottom) => [0, 1, 2].map((i) => top[3] * top[i] + (1 - top[3]) * bottom[i]).concat(1);
  const ground = (element) => {
    const own = parts(getComputedStyle(element).backgroundColor);
    if (own[3] === 1) return own;
    return over(own, element.parentElement ? ground(element.parentElement) : [255, 255, 255, 1]);
  };
  const luminance = (colour) => {
    const [r, g, b] = colour.map((one) => one / 255).map((one) => one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const found = new Set();
  for (const element of document.querySelectorAll("#page *")) {
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== "");
    if (!hasText || element.checkVisibility?.() === false || element.closest(".unseen, select")) continue;
    const back = ground(element);
    const [low, high] = [luminance(over(parts(getComputedStyle(element).color), back)), luminance(back)].sort((a, b) => a - b);
    if ((high + 0.05) / (low + 0.05) < 4.5) found.add(`${element.tagName} ${element.className}: ${element.textContent.slice(0, 30)}`);
  }
  return [...found];
}
