// Draws the views of widgets. A view comes as a tree of [tag, attributes, style, children…], whose
// words the server has checked. Elements are made here and properties are set one by one: nothing is
// read as HTML or as CSS, and the page's policy forbids both.
"use strict";

const viewTags = ["div", "span", "a", "button", "time"];
const plainAttributes = [
  "role", "title", "aria-label", "aria-hidden", "aria-valuenow", "aria-checked", "data-private",
];
const darkness = window.matchMedia("(prefers-color-scheme: dark)");

// A sign for each symbol that widgets often show, by the name without its additions such as ".fill".
// The others are a bullet, and their name is read aloud.
const signs = {
  "sun.max": "☀", "sun.min": "☀", "sun.horizon": "☀", sunrise: "☀", sunset: "☀", moon: "☾",
  "moon.stars": "☾", cloud: "☁", "cloud.sun": "⛅", "cloud.moon": "☁", "cloud.rain": "☂",
  "cloud.heavyrain": "☂", "cloud.drizzle": "☂", "cloud.bolt": "⚡", "cloud.bolt.rain": "⚡",
  "cloud.snow": "❄", "cloud.fog": "≋", snowflake: "❄", wind: "≋", tornado: "≋", umbrella: "☂",
  drop: "●", humidity: "●", thermometer: "℃", bolt: "⚡", flame: "♨", leaf: "❧", heart: "♥",
  star: "★", flag: "⚑", bell: "♪", "music.note": "♪", play: "▶", pause: "❚❚", stop: "■",
  forward: "▶▶", backward: "◀◀", plus: "+", minus: "−", multiply: "×", xmark: "✕",
  checkmark: "✓", "exclamationmark.triangle": "⚠", exclamationmark: "!", info: "i",
  questionmark: "?", "arrow.up": "↑", "arrow.down": "↓", "arrow.left": "←", "arrow.right": "→",
  "arrow.clockwise": "↻", "arrow.counterclockwise": "↺", "chevron.right": "›",
  "chevron.left": "‹", "chevron.up": "⌃", "chevron.down": "⌄", envelope: "✉", phone: "☎",
  airplane: "✈", clock: "◷", timer: "◷", alarm: "◷", calendar: "▦", house: "⌂", gear: "⚙",
  gearshape: "⚙", pencil: "✎", trash: "✕", scissors: "✂", location: "➤", mappin: "⚲",
  magnifyingglass: "⚲", circle: "○", square: "□", "list.bullet": "☰", person: "☻",
  battery: "▮", cart: "⛟", book: "▤", doc: "▤", folder: "▤", photo: "▣", lock: "⚿", key: "⚿",
};
const additions = /\.(fill|circle|square|rectangle|slash|inverse|[0-9]+|and\.[a-z.]+)$/;

function sign(name) {
  let rest = name.toLowerCase();
  while (rest) {
    // The second character asks for the form of a text, which has the colour of texts.
    if (Object.hasOwn(signs, rest)) return `${signs[rest]}\u{FE0E}`;
    const shorter = rest.replace(additions, "");
    rest = shorter === rest ? rest.split(".").slice(0, -1).join(".") : shorter;
  }
  return "•";
}

// A link of a text leads out of the page; every other tap is an item's, which the daemon judges.
function isOutside(url) {
  return /^(https?|mailto):/i.test(url ?? "");
}

function viewTag(tag, attributes, items) {
  if (attributes["data-item"] !== undefined) {
    return Object.hasOwn(items, Number(attributes["data-item"])) ? "button" : "div";
  }
  if (tag === "a") return isOutside(attributes.href) ? "a" : "span";
  // Without an item there is nothing to press.
  return tag === "button" ? "div" : tag;
}

function viewElement([tag, attributes, style, ...children], items) {
  const name = viewTags.includes(tag) ? viewTag(tag, attributes, items) : "div";
  const element = document.createElement(name);
  if (name === "button") {
    const place = Number(attributes["data-item"]);
    element.type = "button";
    element.dataset.key = `item ${place}`;
    element.disabled = items[place].disabled === true;
  } else if (name === "a") {
    element.href = attributes.href;
    element.target = "_blank";
    element.rel = "noopener noreferrer";
  }
  for (const one of plainAttributes) {
    if (attributes[one] !== undefined) element.setAttribute(one, attributes[one]);
  }
  // A button of the page is a flex item or a block, as the element was that it stands for.
  if (name === "button" && tag !== "span" && !style.display) element.style.display = "block";
  for (const [property, value] of Object.entries(style)) {
    element.style.setProperty(property, value);
  }
  const date = Date.parse(attributes.datetime ?? "");
  if (name === "time" && attributes["data-style"] && !Number.isNaN(date)) {
    element.dateTime = attributes.datetime;
    element.dataset.date = date;
    element.dataset.style = attributes["data-style"];
    const end = Date.parse(attributes["data-end"] ?? "");
    if (!Number.isNaN(end)) element.dataset.end = end;
    element.textContent = liveText(element, Date.now());
    return element;
  }
  if (attributes["data-symbol"] !== undefined) {
    element.dataset.symbol = attributes["data-symbol"];
    if (!element.hasAttribute("aria-label") && !element.hasAttribute("aria-hidden")) {
      element.setAttribute("aria-label", attributes["data-symbol"].replaceAll(".", " "));
    }
    const drawn = document.createElement("span");
    drawn.className = "sign";
    drawn.ariaHidden = "true";
    drawn.textContent = sign(attributes["data-symbol"]);
    element.append(drawn);
  }
  for (const child of children) {
    element.append(typeof child === "string" ? document.createTextNode(child)
      : viewElement(child, items));
  }
  return element;
}

// The view for the surroundings of now, in a frame that nothing of it leaves.
function viewFrame(widget) {
  const frame = document.createElement("div");
  frame.className = "view";
  const { light, dark } = widget.view;
  frame.append(viewElement((darkness.matches && dark) || light, widget.content.items ?? []));
  return frame;
}
